import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient } from '#shared/api/client.ts';
import { families, operations } from '../../../functions/catalogue.ts';
import { type Stack, startStack } from '../../../infra/local/stack.ts';
import { seedAtOnce } from '../../support/seeding.ts';
import { type Extent, report } from '../numbers.ts';
import { MINUTE, say } from '../service.ts';
import { type Api, Listeners } from './listeners.ts';
import { page, summary } from './page.ts';

/** Writes comments on a few records at the rate limit of a key, while all users of the account listen. */

interface Effort {
  sockets: number;
  minutes: number;
}

const FULL: Effort = { sockets: 200, minutes: 10 };
const SMALL: Effort = { sockets: 3, minutes: 0.05 };
const RECORDS = 5;
/** Milliseconds without a message, after which none comes. */
const QUIET = 5_000;

export interface Found extends Effort {
  /** Requests a minute. */
  limit: number;
  comments: number;
  messages: number;
  repeated: number;
  missed: number;
  /** Comments that were missed by a socket and are not in the list that its user reads afterwards. */
  hidden: number;
  again: number;
  /** Bytes of objects of the process at the start and after each minute: the service, its sockets and their clients. */
  heaps: number[];
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

async function written(api: Api, records: string[], minutes: number) {
  const limit = Number((await api.throttleCheck()).headers.get('RateLimit-Limit'));
  const every = MINUTE / limit;
  const start = Date.now();
  const comments: string[] = [];
  const heaps = [heap()];
  for (let i = 0; Date.now() - start < minutes * MINUTE; i++) {
    const params = { record_type: 'contacts' as const, record_id: records[i % records.length] as string };
    const body = { comment: { html_content: `<p>Note ${i}</p>` } };
    comments.push((await api.createComment({ params, body })).body.comment.id);
    if (Date.now() - start >= heaps.length * MINUTE) {
      say(`${heaps.length} minutes, ${comments.length} comments`);
      heaps.push(heap());
    }
    await setTimeout(Math.max(0, start + (i + 1) * every - Date.now()));
  }
  return { limit, comments, heaps: [...heaps, heap()] };
}

/** Ids of all comments that a user reads. */
async function reread(api: Api, records: string[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const record_id of records) {
    const params = { record_type: 'contacts' as const, record_id };
    for (const { id } of (await api.listComments({ params })).body.comments) ids.add(id);
  }
  return ids;
}

async function measure({ url, services }: Stack, { sockets, minutes }: Effort): Promise<Found> {
  const seeds = Array.from({ length: sockets }, (_, i) => ({
    ...{ name: `User ${i}`, email_address: `user-${i}@acme.example` },
    role: i === 0 ? ('owner' as const) : ('member' as const),
  }));
  const { users } = await seedAtOnce(services.table, 'Acme', seeds);
  const clientOf = (key: string | undefined) => createClient(families, { base_url: url, key: key as string });
  const readers = users.map(({ read_key }) => clientOf(read_key));
  const writer = clientOf(users[0]?.write_key);
  const records: string[] = [];
  for (let i = 0; i < RECORDS; i++)
    records.push(
      (await writer.createContact({ body: { contact: { name: `Contact ${i}` } } })).body.contact.id,
    );
  const listeners = new Listeners(readers);
  while (!listeners.isOpen) await setTimeout(100);
  const { limit, comments, heaps } = await written(writer, records, minutes);
  const end = Date.now();
  while (Date.now() - Math.max(listeners.last, end) < QUIET) await setTimeout(100);
  const shown = await reread(readers.at(-1) as Api, records);
  const { messages, repeated, again } = listeners;
  listeners.close();
  return {
    ...{ sockets, minutes, limit, messages, repeated, again, heaps },
    comments: comments.length,
    missed: listeners.missed(comments),
    hidden: comments.filter((id) => !shown.has(id)).length,
  };
}

export async function soak(extent: Extent): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'live-'));
  try {
    const stack = await startStack({ folder, in_memory: true, port: 0, operations });
    try {
      const found = await measure(stack, extent.small ? SMALL : FULL);
      await report(extent, { file: 'live.md', page: page(found), printed: summary(found) });
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
