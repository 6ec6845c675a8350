//! What forms are made of. A form is a type that says how a domain type is stored; `#[serde(with = "…")]` names it at a field, and
//! [`Opt`], [`List`] and [`Boxed`] lift it to where serde's remote forms alone do not reach.

use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use base::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::words::{Actor, StepId};

/// How values of `Domain` are stored.
pub(super) trait Form {
    type Domain;

    fn write<S: Serializer>(value: &Self::Domain, serializer: S) -> Result<S::Ok, S::Error>;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Domain, D::Error>;
}

/// Makes the remote forms of serde forms of ours.
macro_rules! forms {
    ($($form:ident => $domain:ty),+ $(,)?) => {$(
        impl $crate::stored::form::Form for $form {
            type Domain = $domain;

            fn write<S: serde::Serializer>(value: &$domain, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(value, serializer)
            }

            fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<$domain, D::Error> {
                Self::deserialize(deserializer)
            }
        }
    )+};
}
pub(super) use forms;

/// A value to be written in a form.
pub(super) struct Written<'a, F: Form>(pub(super) &'a F::Domain);

impl<F: Form> Serialize for Written<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        F::write(self.0, serializer)
    }
}

/// A value read from a form.
pub(super) struct Read<F: Form>(pub(super) F::Domain);

impl<'de, F: Form> Deserialize<'de> for Read<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        F::read(deserializer).map(Self)
    }
}

/// A value that may be absent.
pub(super) struct Opt<F>(PhantomData<F>);

impl<F: Form> Opt<F> {
    #[expect(clippy::ref_option, reason = "the signature that serde calls")]
    pub(super) fn serialize<S: Serializer>(
        value: &Option<F::Domain>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(Written::<F>).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<F::Domain>, D::Error> {
        Ok(Option::<Read<F>>::deserialize(deserializer)?.map(|read| read.0))
    }
}

/// Values in order.
pub(super) struct List<F>(PhantomData<F>);

impl<F: Form> List<F> {
    pub(super) fn serialize<S: Serializer>(values: &[F::Domain], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(Written::<F>))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<F::Domain>, D::Error> {
        let read = Vec::<Read<F>>::deserialize(deserializer)?;
        Ok(read.into_iter().map(|read| read.0).collect())
    }
}

impl<F: Form> Form for List<F> {
    type Domain = Vec<F::Domain>;

    fn write<S: Serializer>(values: &Vec<F::Domain>, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(values, serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<F::Domain>, D::Error> {
        Self::deserialize(deserializer)
    }
}

/// A value that the domain keeps in a box.
pub(super) struct Boxed<F>(PhantomData<F>);

impl<F: Form> Boxed<F> {
    pub(super) fn serialize<S: Serializer>(value: &F::Domain, serializer: S) -> Result<S::Ok, S::Error> {
        F::write(value, serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Box<F::Domain>, D::Error> {
        F::read(deserializer).map(Box::new)
    }
}

/// An id, as its text.
pub(super) struct Text<T>(PhantomData<T>);

impl<T: Display + FromStr<Err: Display>> Text<T> {
    pub(super) fn serialize<S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

impl<T: Display + FromStr<Err: Display>> Form for Text<T> {
    type Domain = T;

    fn write<S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(value, serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        Self::deserialize(deserializer)
    }
}

/// A step's name, as its text.
pub(super) struct Step;

impl Step {
    pub(super) fn serialize<S: Serializer>(step: &StepId, serializer: S) -> Result<S::Ok, S::Error> {
        step.as_str().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<StepId, D::Error> {
        String::deserialize(deserializer).map(|name| StepId::from(name.as_str()))
    }
}

/// Who, as the text of the record: `a_…`, `u_…` or `server`.
pub(super) struct By;

impl By {
    pub(super) fn serialize<S: Serializer>(by: &Actor, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(by)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Actor, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == "server" {
            return Ok(Actor::Server);
        }
        let agent = text.parse().map(Actor::Agent);
        agent
            .or_else(|_| text.parse().map(Actor::Person))
            .map_err(de::Error::custom)
    }
}

/// An instant, as milliseconds since 1970.
pub(super) struct Millis;

impl Millis {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
    pub(super) fn serialize<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
        at.as_millis().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        i64::deserialize(deserializer).map(Timestamp::from_millis)
    }
}

forms!(Millis => Timestamp);

/// Reads a value that is there, `null` included: what is absent is left to `#[serde(default)]`.
pub(super) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
