//! Recorded requests.

use base::{OrganizationId, RequestId, RunId, Timestamp};
use run_ports::{Head, Look, RequestKey, RequestRow, RequestTarget};
use sqlx::FromRow;

use crate::{Error, Store, words};

/// A request if there is one, and the head of a run if there is one.
#[derive(FromRow)]
struct Row {
    caller: Option<String>,
    tool: Option<String>,
    arguments: Option<Vec<u8>>,
    run: Option<String>,
    first_seq: Option<i64>,
    last_seq: Option<i64>,
    answer: Option<String>,
    at: Option<i64>,
    head_seq: Option<i64>,
    is_being_written: bool,
}

pub(crate) async fn look(
    store: &Store,
    organization: OrganizationId,
    request: Option<&RequestId>,
    run: Option<RunId>,
) -> Result<Look, Error> {
    let mut rows: Vec<Row> = sqlx::query_as("select * from look($1, $2, $3)")
        .bind(organization.to_string())
        .bind(request.map(RequestId::as_str))
        .bind(run.map(|run| run.to_string()))
        .fetch_all(&store.readers)
        .await?;
    let Some(row) = rows.pop() else {
        return Err(sqlx::Error::RowNotFound.into());
    };
    let head = row.head_seq.map(|seq| {
        let is_being_written = row.is_being_written;
        words::unsigned(seq, "a run").map(|seq| Head {
            seq,
            is_being_written,
        })
    });
    let head = head.transpose()?;
    Ok(Look {
        request: request.map_or(Ok(None), |id| request_row(id, row))?,
        head,
    })
}

fn request_row(id: &RequestId, row: Row) -> Result<Option<RequestRow>, Error> {
    const WHAT: &str = "a request";
    let (Some(caller), Some(tool), Some(arguments), Some(at)) = (row.caller, row.tool, row.arguments, row.at)
    else {
        return Ok(None);
    };
    let target = match (row.run, row.first_seq, row.last_seq, row.answer) {
        (Some(run), Some(first_seq), Some(last_seq), _) => RequestTarget::Run {
            run: words::parse(&run, WHAT)?,
            first_seq: words::unsigned(first_seq, WHAT)?,
            last_seq: words::unsigned(last_seq, WHAT)?,
        },
        (_, _, _, answer) => RequestTarget::Answer(answer.unwrap_or_default()),
    };
    Ok(Some(RequestRow {
        key: RequestKey {
            id: id.clone(),
            caller: words::actor(&caller)?,
            tool,
            arguments: words::digest(&arguments, WHAT)?,
        },
        target,
        at: Timestamp::from_millis(at),
    }))
}
