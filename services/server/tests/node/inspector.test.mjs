// MCP Inspector's command line, in both eras of the protocol.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { run } from './packages.mjs';
import { play } from './play.mjs';
import { start } from './server.mjs';

/** What it exits with when a tool refuses. */
const REFUSED = 5;

let server;
before(async () => (server = await start()));
after(() => server.stop());

for (const era of ['legacy', 'modern']) {
  test(`the tools are clean in the ${era} era`, async () => {
    const { status, stdout, stderr } = await inspect(era, alpha(), '--method', 'tools/list', '--strict');
    // It would find fault on stderr.
    assert.deepEqual([status, stderr.trim()], [0, '']);
    const { tools } = JSON.parse(stdout).result;
    assert.ok(tools.some((tool) => tool.name === 'claim'));
  });

  test(`a process is played in the ${era} era`, async () => {
    await play(caller(era, alpha()), caller(era, server.ready.tokens.people['mira@example.com']));
  });
}

function alpha() {
  return server.ready.tokens.agents.alpha;
}

function inspect(era, token, ...words) {
  return run(
    'mcp-inspector', '--cli', server.ready.mcp, '--transport', 'http', '--protocol-era', era,
    '--header', `Authorization: Bearer ${token}`, '--format', 'json', ...words,
  );
}

function caller(era, token) {
  return async (tool, words) => {
    const { status, stdout, stderr } = await inspect(
      era, token, '--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(words),
    );
    assert.ok([0, REFUSED].includes(status), `${tool}: ${stderr}`);
    const { isError, structuredContent } = JSON.parse(stdout).result;
    assert.equal(isError, status === REFUSED);
    return structuredContent;
  };
}
