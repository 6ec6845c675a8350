// The official TypeScript clients: the 1.x line, and the 2.x line in each version of the protocol.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { load } from './packages.mjs';
import { play } from './play.mjs';
import { start } from './server.mjs';

const first = {
  ...load('@modelcontextprotocol/sdk/client/index.js'),
  ...load('@modelcontextprotocol/sdk/client/streamableHttp.js'),
};
const second = load('@modelcontextprotocol/client');

let server;
before(async () => (server = await start()));
after(() => server.stop());

const CLIENTS = [
  { name: '1.x', line: first, version: '2025-11-25' },
  { name: '2.x', line: second, version: '2025-11-25' },
  { name: '2.x that knows no later version', line: second, version: '2025-06-18', options: { supportedProtocolVersions: ['2025-06-18'] } },
  { name: '2.x that finds out', line: second, version: '2026-07-28', options: { versionNegotiation: { mode: 'auto' } } },
  { name: '2.x that insists', line: second, version: '2026-07-28', options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } },
];

for (const { name, line, version, options } of CLIENTS) {
  test(`a client of ${name} goes through a process in ${version}`, async () => {
    const { agents, people } = server.ready.tokens;
    const [agent, person] = await Promise.all(
      [agents.alpha, people['mira@example.com']].map((token) => connect(line, token, options)),
    );
    // Listing the tools makes a client check every result against its schema.
    const { tools } = await agent.listTools();
    assert.ok(tools.some((tool) => tool.name === 'claim'));
    await person.listTools();
    await play(caller(agent), caller(person));
    assert.equal(agent.spoken(), version);
    await Promise.all([agent.close(), person.close()]);
  });
}

async function connect(line, token, options) {
  const spoken = new Set();
  const transport = new line.StreamableHTTPClientTransport(new URL(server.ready.mcp), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
    fetch: (url, init) => {
      const version = new Headers(init.headers).get('mcp-protocol-version');
      if (version) spoken.add(version);
      return fetch(url, init);
    },
  });
  const client = new line.Client({ name: 'test', version: '1' }, options);
  await client.connect(transport);
  assert.equal(client.getServerVersion().name, 'baton');
  assert.equal(transport.sessionId, undefined);
  client.spoken = () => [...spoken].join();
  return client;
}

function caller(client) {
  return async (tool, words) => {
    const result = await client.callTool({ name: tool, arguments: words });
    assert.equal(result.isError, !result.structuredContent.ok);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    return result.structuredContent;
  };
}
