// The demo process from its start to its finish, with a rejection on the way, by whatever client calls the tools.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

/**
 * `agent` and `person` call a tool with arguments and give its structured content.
 */
export async function play(agent, person) {
  const write = (by, tool, words) => data(by, tool, { ...words, requestId: randomUUID() });
  const work = async (step, output) => {
    const { token } = await write(agent, 'claim', { runId, stepId: step });
    return write(agent, 'submit', { token, output, summary: `Did ${step}.` });
  };
  const decide = async (decision, note) => {
    const { items } = await data(person, 'get_work', { limit: 100 });
    const { workItem } = items.find((item) => item.runId === runId);
    const { requestId, ...words } = workItem.decide.arguments;
    return write(person, workItem.decide.tool, { ...words, decision, note });
  };

  const inputs = { employee: 'Kim', purpose: 'Off-site', receipts: [{ amount: 12.5 }] };
  const started = await write(agent, 'start_run', { process: 'expense-report', inputs });
  const runId = started.run.id;
  assert.equal(started.run.state, 'active');

  const incomplete = await write(agent, 'claim', { runId, stepId: 'draft' });
  const refusal = await agent('submit', {
    token: incomplete.token, output: { report: 'A train.' }, summary: 'Added up.', requestId: randomUUID(),
  });
  assert.equal(refusal.ok, false);
  assert.deepEqual(refusal.error.issues, ['output.total: missing']);
  const drafted = await write(agent, 'submit', {
    token: incomplete.token, output: { report: 'A train.', total: 12.5 }, summary: 'Added up.',
  });
  assert.equal(drafted.run.state, 'waiting');

  await decide('rejected', 'Whose train?');
  await work('draft', { report: 'A train of Kim.', total: 12.5 });
  await decide('approved', 'Good.');
  const ended = await work('record', { entry: 'E-1' });
  assert.equal(ended.run.state, 'ended');
  assert.equal(ended.run.outcome, 'recorded');
  assert.deepEqual(await data(agent, 'get_run', { runId }), ended);
}

async function data(by, tool, words) {
  const envelope = await by(tool, words);
  assert.equal(envelope.ok, true, `${tool}: ${JSON.stringify(envelope)}`);
  return envelope.data;
}
