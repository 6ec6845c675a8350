//! A batch as the arguments of `commit_runs`: one array a column, in the order of its parameters.

use sqlx::Arguments;
use sqlx::error::BoxDynError;
use sqlx::postgres::PgArguments;

use super::encoded::Encoded;

/// A table of rows as columns. Each row begins with the number of its command in the batch, unless there is one row a command.
macro_rules! tables {
    ($($name:ident { $($column:ident: $type:ty),+ $(,)? })+) => {$(
        #[derive(Default)]
        struct $name<'a> {
            $($column: Vec<$type>,)+
        }

        impl<'a> $name<'a> {
            fn push(&mut self, ($($column),+): ($($type),+)) {
                $(self.$column.push($column);)+
            }

            fn add_to(self, arguments: &mut PgArguments) -> Result<(), BoxDynError> {
                $(arguments.add(self.$column)?;)+
                Ok(())
            }
        }
    )+};
}

tables! {
    Commands { organization: &'a str, run: &'a str, expected_seq: i64, last_seq: i64 }
    Heads {
        process: &'a str,
        state: &'a str,
        outcome: Option<&'a str>,
        updated_at: i64,
        snapshot: &'a [u8],
        next_deadline: Option<i64>,
    }
    Starts {
        version: i64,
        mode: &'a str,
        started_by: &'a str,
        started_at: i64,
        inputs: &'a str,
    }
    Inputs { command: i32, digest: &'a [u8] }
    Requests {
        command: i32,
        id: &'a str,
        caller: &'a str,
        tool: &'a str,
        arguments: &'a [u8],
        first_seq: i64,
        at: i64,
    }
    Events { command: i32, seq: i64, at: i64, kind: &'a str, version: i32, body: &'a str }
    Offers {
        command: i32,
        step: &'a str,
        ready_since: i64,
        available_at: i64,
        due: Option<i64>,
        overdue: bool,
        handoff: &'a str,
        holder: Option<&'a str>,
        reserved_for: Option<&'a str>,
        reserved_until: Option<i64>,
    }
    GoneOffers { command: i32, step: &'a str }
    Items {
        command: i32,
        number: i64,
        opened_at: i64,
        escalated: bool,
        members: &'a str,
        group: Option<&'a str>,
        body: &'a str,
    }
    Effects {
        command: i32,
        position: i32,
        kind: &'a str,
        step: Option<&'a str>,
        item: Option<i64>,
        at: i64,
    }
}

/// The columns of a batch.
#[derive(Default)]
pub(super) struct Batch<'a> {
    commands: Commands<'a>,
    heads: Heads<'a>,
    starts: Starts<'a>,
    inputs: Inputs<'a>,
    requests: Requests<'a>,
    events: Events<'a>,
    offers: Offers<'a>,
    gone_offers: GoneOffers<'a>,
    items: Items<'a>,
    gone_item_commands: Vec<i32>,
    gone_item_numbers: Vec<i64>,
    effects: Effects<'a>,
    fact_commands: Vec<i32>,
    fact_revisions: Vec<i64>,
}

impl<'a> Batch<'a> {
    /// The columns of these commands.
    pub(super) fn of(commands: &[&'a Encoded]) -> Self {
        let mut batch = Self::default();
        for (n, command) in (1..).zip(commands) {
            batch.push_run(n, command);
            batch.push_events(n, command);
            batch.push_work(n, command);
            batch.push_facts(n, command);
        }
        batch
    }

    fn push_run(&mut self, n: i32, command: &'a Encoded) {
        let (organization, run) = (&command.organization_text, &command.run_text);
        let (expected_seq, last_seq) = (command.expected_seq, command.last_seq);
        self.commands.push((organization, run, expected_seq, last_seq));
        let head = &command.head;
        self.heads.push((
            &head.process,
            head.state.as_str(),
            head.outcome.as_deref(),
            head.updated_at.as_millis(),
            head.snapshot.as_bytes(),
            head.next_deadline.map(base::Timestamp::as_millis),
        ));
        let start = command.start.as_ref();
        self.starts.push((
            head.version.into(),
            head.mode.as_str(),
            start.map_or("", |start| &start.started_by),
            head.started_at.as_millis(),
            start.map_or("", |start| &start.inputs),
        ));
        for input in &command.inputs {
            self.inputs.push((n, input.as_bytes()));
        }
        if let Some(request) = &command.request {
            let key = &request.new.key;
            self.requests.push((
                n,
                key.id.as_str(),
                &request.caller,
                &key.tool,
                key.arguments.as_bytes(),
                request.first_seq,
                request.new.at.as_millis(),
            ));
        }
    }

    fn push_facts(&mut self, n: i32, command: &'a Encoded) {
        if let Some(revision) = command.directory_revision {
            self.fact_commands.push(n);
            self.fact_revisions.push(revision);
        }
    }

    fn push_events(&mut self, n: i32, command: &'a Encoded) {
        for event in &command.events {
            self.events
                .push((n, event.seq, event.at, event.kind, event.version, &event.body));
        }
        let at = command.events.last().map_or(0, |event| event.at);
        for (position, effect) in (1..).zip(&command.effects) {
            self.effects
                .push((n, position, effect.kind, effect.step.as_deref(), effect.item, at));
        }
    }

    fn push_work(&mut self, n: i32, command: &'a Encoded) {
        for row in &command.offers {
            let offer = &row.offer;
            self.offers.push((
                n,
                offer.step.as_str(),
                offer.ready_since.as_millis(),
                offer.available_at.as_millis(),
                offer.due.map(base::Timestamp::as_millis),
                offer.overdue,
                &row.handoff,
                row.holder.as_deref(),
                row.reserved_for.as_deref(),
                offer.reserved.map(|kept| kept.until.as_millis()),
            ));
        }
        for step in &command.gone_offers {
            self.gone_offers.push((n, step));
        }
        for item in &command.items {
            self.items.push((
                n,
                item.number,
                item.opened_at,
                item.is_escalated,
                &item.members,
                item.group.as_deref(),
                &item.body,
            ));
        }
        for number in &command.gone_items {
            self.gone_item_commands.push(n);
            self.gone_item_numbers.push(*number);
        }
    }

    /// In the order of the parameters.
    pub(super) fn arguments(self) -> Result<PgArguments, BoxDynError> {
        let mut arguments = PgArguments::default();
        self.commands.add_to(&mut arguments)?;
        self.heads.add_to(&mut arguments)?;
        self.starts.add_to(&mut arguments)?;
        self.inputs.add_to(&mut arguments)?;
        self.requests.add_to(&mut arguments)?;
        self.events.add_to(&mut arguments)?;
        self.offers.add_to(&mut arguments)?;
        self.gone_offers.add_to(&mut arguments)?;
        self.items.add_to(&mut arguments)?;
        arguments.add(self.gone_item_commands)?;
        arguments.add(self.gone_item_numbers)?;
        self.effects.add_to(&mut arguments)?;
        arguments.add(self.fact_commands)?;
        arguments.add(self.fact_revisions)?;
        Ok(arguments)
    }
}
