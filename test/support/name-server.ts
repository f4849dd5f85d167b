import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server (RFC 1035) on this machine. Names it does not know get no answer. */

const TYPES = { 1: 4, 28: 6 } as const;

/** The address in bytes; IPv6 without `::`. */
const bytesOf = (address: string) =>
  address.includes(':')
    ? Buffer.from(
        address
          .split(':')
          .map((part) => part.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number));

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** `hosts` are names with their addresses, of one family each: asked for the other, the server says that there is none. */
export async function startNameServer(hosts: Record<string, string[]>) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = question(query);
    asked.push(name);
    const known = hosts[name];
    if (!known) return;
    const family = TYPES[type as keyof typeof TYPES];
    const found = known.filter((each) => (each.includes(':') ? 6 : 4) === family).map(bytesOf);
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0]);
    const records = found.map((each) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, each.length, ...each]),
    );
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, asked, close: () => void socket.close() };
}
