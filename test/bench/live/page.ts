import { machine, markdownTable } from '../numbers.ts';
import type { Found } from './soak.ts';

/** docs/benchmarks/live.md. */

const inMegabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);

export function summary(found: Found): string {
  const { sockets, limit, comments, messages, missed, repeated, hidden, again } = found;
  const rows = [
    ['sockets', sockets],
    ['requests that the key may send in a minute', limit],
    ['comments that were written', comments],
    ['messages that arrived', messages],
    ['messages of a comment that did not arrive', missed],
    ['messages of a comment that arrived again', repeated],
    ['comments that reading again does not show', hidden],
    ['connections that were lost and made again', again],
  ];
  const minutes = found.heaps.map((bytes, minute) => [minute, inMegabytes(bytes)]);
  return `${markdownTable(['', 'Number'], 'lr', rows)}

${markdownTable(['Minute', 'MB of objects'], 'rr', minutes)}`;
}

export const page = (
  found: Found,
): string => `# Live updates of ${found.sockets} sockets for ${found.minutes} minutes

Written by \`npm run bench live\`: ${machine()}, DynamoDB Local in memory and its stream. ${found.sockets} users of one account
listen with \`client.subscribe()\`. A key comments on contacts that all of them see, as often as its rate limit lets it.

A message may be lost, and may come twice: a client reads again what it was told of, and everything when it connects. Service,
sockets and all clients are one process; its objects are counted after a collection of garbage.

${summary(found)}
`;
