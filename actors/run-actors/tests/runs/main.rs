//! Runs through their handle, over the store in memory.

mod admission;
mod crashes;
mod deadlines;
mod errand;
mod faults;
mod interleavings;
mod overtaking;
mod passivation;
mod races;
mod reassigning;
mod replays;
mod script;
mod seats;
mod sweeps;
mod throughput;
mod watched;
mod world;
