//! A way to PostgreSQL that cuts connections, after a commit and before its answer, before the commit or at any moment, that falls
//! silent, and that tells another time than PostgreSQL does.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader, BufWriter};
use tokio::net::{TcpListener, TcpStream, UnixStream, tcp, unix};
use tokio::sync::watch;

/// What the committer's statement is called.
const COMMIT: &[u8] = b"commit_runs(";
/// The verdict on a command that has been written.
const COMMITTED: &[u8] = b"committed";
/// Backend messages of PostgreSQL's protocol.
const DATA_ROW: u8 = b'D';
const READY_FOR_QUERY: u8 = b'Z';
/// A minute.
const NEAR_MICROS: i128 = 60_000_000;

/// Listens until it is dropped with its runtime.
pub(crate) struct Proxy {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    socket: PathBuf,
    /// Which requests of committers are kept from PostgreSQL.
    requests: Every,
    /// Which answers to commits are kept from the server.
    answers: Every,
    cuts: AtomicUsize,
    /// Each change ends every connection.
    ends: watch::Sender<usize>,
    /// Nothing gets through.
    is_silent: watch::Sender<bool>,
    /// What is added to the time that PostgreSQL tells.
    shift_micros: AtomicI64,
    shifts: AtomicUsize,
}

/// Takes every so manyth; with 0 none at all.
#[derive(Default)]
struct Every {
    number: AtomicUsize,
    seen: AtomicUsize,
}

impl Every {
    fn set(&self, number: usize) {
        self.seen.store(0, Ordering::SeqCst);
        self.number.store(number, Ordering::SeqCst);
    }

    fn takes(&self) -> bool {
        match self.number.load(Ordering::SeqCst) {
            0 => false,
            number => (self.seen.fetch_add(1, Ordering::SeqCst) + 1).is_multiple_of(number),
        }
    }
}

impl Proxy {
    /// Passes everything on to a socket of PostgreSQL.
    pub(crate) async fn start(socket: PathBuf) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let shared = Arc::new(Shared {
            socket,
            requests: Every::default(),
            answers: Every::default(),
            cuts: AtomicUsize::new(0),
            ends: watch::channel(0).0,
            is_silent: watch::channel(false).0,
            shift_micros: AtomicI64::new(0),
            shifts: AtomicUsize::new(0),
        });
        let passing = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass(client, Arc::clone(&passing)));
            }
        });
        Self { port, shared }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// From now on every so manyth commit that has written something keeps its answer to itself; 0 ends it.
    pub(crate) fn lose_answers(&self, every: usize) {
        self.shared.answers.set(every);
    }

    /// From now on every so manyth request of a committer never arrives; 0 ends it.
    pub(crate) fn lose_requests(&self, every: usize) {
        self.shared.requests.set(every);
    }

    /// Ends every connection that there is.
    pub(crate) fn cut_all(&self) {
        self.shared.ends.send_modify(|times| *times += 1);
    }

    /// Nothing gets through from now on, though every connection stays.
    pub(crate) fn fall_silent(&self) {
        self.shared.is_silent.send_replace(true);
    }

    /// What was kept back gets through.
    pub(crate) fn speak_again(&self) {
        self.shared.is_silent.send_replace(false);
    }

    /// Whoever asks for the time from now on gets another one.
    pub(crate) fn shift_clock(&self, micros: i64) {
        self.shared.shift_micros.store(micros, Ordering::SeqCst);
    }

    /// How often somebody was told another time.
    pub(crate) fn shifts(&self) -> usize {
        self.shared.shifts.load(Ordering::SeqCst)
    }

    /// How many connections have been cut.
    pub(crate) fn cuts(&self) -> usize {
        self.shared.cuts.load(Ordering::SeqCst)
    }
}

/// One connection. Its end, whoever ends it, is the end of both sides.
async fn pass(client: TcpStream, shared: Arc<Shared>) -> io::Result<()> {
    client.set_nodelay(true)?;
    let server = UnixStream::connect(&shared.socket).await?;
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let commits = AtomicBool::new(false);
    let mut ends = shared.ends.subscribe();
    tokio::select! {
        _ = ends.changed() => {
            shared.cuts.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }
        ended = requests(from_client, to_server, (&commits, &shared)) => ended,
        ended = answers(from_server, to_client, (&commits, &shared)) => ended,
    }
}

/// Passes what the client says, and notes when it prepares the statement that commits.
async fn requests(
    mut client: tcp::OwnedReadHalf,
    mut server: unix::OwnedWriteHalf,
    (commits, shared): (&AtomicBool, &Shared),
) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    let mut silence = shared.is_silent.subscribe();
    loop {
        let bytes = client.read(&mut buffer).await?;
        if bytes == 0 {
            return Ok(());
        }
        if holds(&buffer[..bytes], COMMIT) {
            commits.store(true, Ordering::SeqCst);
        }
        if commits.load(Ordering::SeqCst) && shared.requests.takes() {
            shared.cuts.fetch_add(1, Ordering::SeqCst);
            return Ok(());
        }
        let _ = silence.wait_for(|is_silent| !is_silent).await;
        server.write_all(&buffer[..bytes]).await?;
    }
}

/// Passes what the server says, message by message. An answer that is cut is read to its end, which comes after the commit.
async fn answers(
    server: unix::OwnedReadHalf,
    client: tcp::OwnedWriteHalf,
    (commits, shared): (&AtomicBool, &Shared),
) -> io::Result<()> {
    let (mut server, mut client) = (BufReader::new(server), BufWriter::new(client));
    let mut is_cut = false;
    let mut silence = shared.is_silent.subscribe();
    loop {
        let kind = server.read_u8().await?;
        let length = server.read_u32().await?;
        let mut body = vec![0; (length as usize).saturating_sub(4)];
        server.read_exact(&mut body).await?;
        let _ = silence.wait_for(|is_silent| !is_silent).await;
        if kind == DATA_ROW {
            let shifted = shift_time(&mut body, shared.shift_micros.load(Ordering::SeqCst));
            shared.shifts.fetch_add(shifted, Ordering::SeqCst);
        }
        let is_commit = kind == DATA_ROW && commits.load(Ordering::SeqCst) && holds(&body, COMMITTED);
        is_cut = is_cut || is_commit && shared.answers.takes();
        if is_cut && kind == READY_FOR_QUERY {
            shared.cuts.fetch_add(1, Ordering::SeqCst);
            return Ok(());
        }
        if !is_cut {
            client.write_u8(kind).await?;
            client.write_u32(length).await?;
            client.write_all(&body).await?;
            if server.buffer().is_empty() {
                client.flush().await?;
            }
        }
    }
}

/// A row of two numbers of which the first is about the present is an answer to what time it is. How many were changed.
fn shift_time(row: &mut [u8], by: i64) -> usize {
    const TIME: std::ops::Range<usize> = 6..14;
    let is_like_it = row.len() == 26 && row[..6] == [0, 2, 0, 0, 0, 8] && row[14..18] == [0, 0, 0, 8];
    if by == 0 || !is_like_it {
        return 0;
    }
    let told = i64::from_be_bytes(row[TIME].try_into().expect("eight bytes"));
    let present = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("it is after 1970")
        .as_micros();
    let is_present = (i128::from(told) - i128::try_from(present).expect("small")).abs() < NEAR_MICROS;
    if is_present {
        row[TIME].copy_from_slice(&(told + by).to_be_bytes());
    }
    usize::from(is_present)
}

fn holds(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}
