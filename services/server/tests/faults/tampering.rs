//! The verifier is no good unless it notices: each way to tamper with the journal or with what follows from it is reported.

use crate::load::Load;
use crate::site::{CALLERS, Site};
use crate::tables::Tables;
use crate::verifier::{Known, problems};

/// What is done to the database, and what the report must say.
const TAMPERINGS: [(&str, &str, &str); 18] = [
    ("an event is gone", "delete from run_events where (run, seq) = (select run, max(seq) from run_events group by run limit 1)", "events, the row says"),
    ("an event in the middle is gone", "delete from run_events where (run, seq) = (select run, 2 from runs where seq > 3 limit 1)", "where 2 belongs"),
    ("an event is there twice", "insert into run_events select organization, run, seq + 1, at, kind, version, body, chain from run_events
        where (run, seq) = (select run, max(seq) from run_events group by run having max(seq) > 1 limit 1)", "the chain is broken"),
    ("a byte of an event is another", "update run_events set body = replace(body, '\"step\"', '\"stop\"') where (run, seq) =
        (select run, seq from run_events where kind = 'step_claimed' limit 1)", "the chain is broken"),
    ("an instant is another", "update run_events set at = at + 1 where (run, seq) = (select run, 1 from runs limit 1)", "the chain is broken"),
    ("two events have changed places", "update run_events e set body = o.body, kind = o.kind from run_events o
        where e.run = o.run and e.run = (select run from runs where seq > 3 limit 1) and (e.seq, o.seq) in ((2, 3), (3, 2))", "the chain is broken"),
    ("the last chain is another", "update runs set chain = sha256(chain) where run = (select run from runs limit 1)", "another chain"),
    ("a request is gone", "delete from requests where request = (select request from requests where tool = 'claim' limit 1)", "acknowledged and written 0 times"),
    ("a request is there twice", "alter table requests drop constraint requests_pkey;
        insert into requests select * from requests where tool = 'claim' limit 1", "acknowledged and written 2 times"),
    ("a request was about something else", "update requests set arguments = sha256(arguments) where request =
        (select request from requests limit 1)", "something else than was asked for"),
    ("a request that nobody sent", "insert into requests select organization, 'invented', caller, tool, arguments, run, first_seq, last_seq, answer, at
        from requests limit 1", "nobody sent it"),
    ("a run is gone", "delete from runs where run = (select run from runs limit 1)", "no row"),
    ("a journal is gone", "delete from run_events where run = (select run from runs limit 1)", "no events"),
    ("an offer is gone", "delete from offers where (run, step) = (select run, step from offers limit 1)", "offers: is missing"),
    ("an offer is too many", "insert into offers select organization, run, 'invented', process, ready_since, available_at, due, overdue, handoff, holder,
        reserved_for, reserved_until from offers limit 1", "offers: should not be there"),
    ("an item is gone", "delete from work_items where (run, number) = (select run, number from work_items limit 1)", "work_items: is missing"),
    ("a member is forgotten", "delete from work_item_members where ctid = (select min(ctid) from work_item_members)", "work_item_members: is missing"),
    ("a timer is forgotten", "update runs set next_deadline = null where run = (select run from runs where next_deadline is not null limit 1)", "runs: is missing"),
];

#[test]
fn every_way_to_tamper_with_the_journal_is_reported() {
    let site = Site::new();
    let server = site.open();
    let ready = server.ready();
    let load = Load::start(&site.runtime, &[&ready], (CALLERS, 0));
    site.runtime.block_on(async {
        load.more(300).await;
        load.rest().await;
    });
    let known = Known::of(&load);
    assert_eq!(problems(&Tables::read(&ready), &known), Vec::<String>::new());
    for (what, tampering, report) in TAMPERINGS {
        let found = problems(&Tables::read_after(&ready, tampering), &known);
        assert!(
            found.iter().any(|problem| problem.contains(report)),
            "{what}: {found:?}"
        );
    }
    // What was taken back left nothing.
    load.go_on();
    site.finish(&ready, &load, "after tampering with copies");
    assert!(server.terminate().success());
}

/// Whoever can compute the chain anew still cannot invent what nobody asked for or complete a step twice.
#[test]
fn a_step_that_is_completed_twice_is_reported_even_with_a_whole_chain() {
    let site = Site::new();
    let server = site.open();
    let ready = server.ready();
    let load = Load::start(&site.runtime, &[&ready], (CALLERS, 0));
    site.runtime.block_on(async {
        load.more(120).await;
        load.rest().await;
    });
    let forge = "create temporary table forged on commit drop as select e.* from run_events e join runs using (organization, run, seq)
            where kind = 'step_completed' and state <> 'ended' limit 1;
        update forged set seq = seq + 1, chain = sha256(chain || chain_link(seq + 1, at, kind, version, body));
        insert into run_events select * from forged;
        update runs r set seq = f.seq, chain = f.chain from forged f where r.run = f.run";
    let found = problems(&Tables::read_after(&ready, forge), &Known::of(&load));
    let said = |report: &str| found.iter().any(|problem| problem.contains(report));
    assert!(
        said("which is not open") && said("nobody asked for event"),
        "{found:?}"
    );
    assert!(!said("chain"), "{found:?}");
    load.go_on();
    assert!(server.terminate().success());
}
