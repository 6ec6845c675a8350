//! How long parsing, checking and hashing one file takes: `check_time PATH…`.

use std::hint::black_box;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use formats::Format;

const TIME_PER_FILE: Duration = Duration::from_millis(500);

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for path in std::env::args_os().skip(1) {
        let source = std::fs::read(&path)?;
        let mut rounds = 0_u32;
        let start = Instant::now();
        while start.elapsed() < TIME_PER_FILE {
            black_box(formats::check(Format::Process, black_box(&source), None));
            rounds += 1;
        }
        let each = start.elapsed() / rounds;
        writeln!(
            out,
            "{:>8.1} µs  {:>6} bytes  {}",
            each.as_secs_f64() * 1e6,
            source.len(),
            path.display()
        )?;
    }
    Ok(())
}
