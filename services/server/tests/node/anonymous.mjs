// A door for programs that send no token: whatever comes goes on as it is, `Host` and `Origin` too, with a token added.

import { once } from 'node:events';
import http from 'node:http';

/** Where it listens, and `stop`. */
export async function open(address, token) {
  const { hostname, port } = new URL(address);
  const server = http.createServer((asked, answer) => {
    const headers = [...asked.rawHeaders, 'Authorization', `Bearer ${token}`];
    const options = { hostname, port, method: asked.method, path: asked.url, headers, setHost: false };
    const onward = http.request(options, (answered) => {
      answer.writeHead(answered.statusCode, answered.rawHeaders);
      answered.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, stop };
}
