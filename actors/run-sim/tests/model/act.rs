//! What happens next, drawn before anything is known of the run: numbers that pick among what is there.

use run_sim::Dice;

/// An act. `pick` chooses among what is there, `how` colours it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Act {
    /// Does what an open step waits for.
    GoOn { pick: usize, how: u64 },
    /// Claims any step as anybody.
    Claim { pick: usize, who: usize },
    /// Uses any token as anybody.
    Use { pick: usize, who: usize, how: u64 },
    /// Decides any item as anybody.
    Decide { back: usize, who: usize, how: u64 },
    /// Sends an event.
    Send { name: usize, who: usize, how: u64 },
    /// Stops the run, if an operator asks.
    Cancel { who: usize },
    /// A role means others, and perhaps open items move.
    Regroup {
        role: usize,
        members: usize,
        moves: bool,
    },
    /// Time passes.
    Pass(Jump),
}

/// How much time passes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Jump {
    /// So many milliseconds.
    Millis(u64),
    /// To the next deadline.
    ToDeadline,
    /// To a millisecond before it.
    BeforeDeadline,
    /// To the end of a lease.
    ToLapse,
    /// To a millisecond before it.
    BeforeLapse,
}

impl Act {
    pub(crate) fn random(dice: &Dice) -> Self {
        let (pick, who, how) = (dice.below(64), dice.below(8), dice.below(1 << 30) as u64);
        match dice.below(100) {
            0..=55 => Self::GoOn { pick, how },
            56..=61 => Self::Claim { pick, who },
            62..=70 => Self::Use { pick, who, how },
            71..=77 => Self::Decide {
                back: pick % 4,
                who,
                how,
            },
            78..=83 => Self::Send {
                name: pick % 3,
                who,
                how,
            },
            84 if who % 4 == 0 => Self::Cancel { who },
            85..=88 => Self::Regroup {
                role: pick % 2,
                members: who,
                moves: how % 4 > 0,
            },
            _ => Self::Pass(Jump::random(dice)),
        }
    }
}

impl Jump {
    fn random(dice: &Dice) -> Self {
        match dice.below(8) {
            0 => Self::Millis(dice.below(1_000) as u64),
            1 | 2 => Self::Millis(dice.below(400_000) as u64),
            3 => Self::Millis(3_600_000),
            4 => Self::ToDeadline,
            5 => Self::BeforeDeadline,
            6 => Self::ToLapse,
            _ => Self::BeforeLapse,
        }
    }
}
