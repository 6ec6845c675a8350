//! Databases of a server: `baton dev` makes its own, and removes those that were only for a while.

use std::str::FromStr;

use base::Secret;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::Error;

/// The code of PostgreSQL for a database that exists already.
const DUPLICATE_DATABASE: &str = "42P04";

/// The address of another database of the same server, for the same login.
pub fn address_of(server: &Secret<String>, database: &str) -> Result<Secret<String>, Error> {
    let options = PgConnectOptions::from_str(server.expose())?.database(database);
    Ok(Secret::new(options.to_url_lossy().to_string()))
}

/// Makes a database on a server, unless it is there.
pub async fn create(server: &Secret<String>, database: &str) -> Result<(), Error> {
    let created = execute(server, format!("create database {}", quoted(database))).await;
    match created {
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(DUPLICATE_DATABASE) => Ok(()),
        other => Ok(other?),
    }
}

/// Removes a database and cuts off whoever uses it. Nothing happens when it is gone.
pub async fn remove(server: &Secret<String>, database: &str) -> Result<(), Error> {
    let statement = format!("drop database if exists {} with (force)", quoted(database));
    Ok(execute(server, statement).await?)
}

/// These statements run outside transactions and take no parameters.
async fn execute(server: &Secret<String>, statement: String) -> Result<(), sqlx::Error> {
    let mut connection = PgConnectOptions::from_str(server.expose())?.connect().await?;
    sqlx::raw_sql(AssertSqlSafe(statement))
        .execute(&mut connection)
        .await?;
    connection.close().await
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
