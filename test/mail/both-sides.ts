import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import { copiesIn } from '#shared/domain/mail/sync/copies.ts';
import { foldersOf } from '#shared/domain/mail/sync/progress.ts';
import { listAllThreads } from '../support/mail.ts';
import type { ConnectedMailbox } from './connected-mailbox.ts';

/** What Dovecot has, as `doveadm` tells it, and what follows from it for the API; beside that, what the API says. */

interface Stored {
  folder: string;
  uid: number;
  rfc_id: string;
  from: string;
  seen: boolean;
  flagged: boolean;
}

/** Folders that are not in threads. */
const APART = ['Trash', 'Spam', 'Drafts'];

export interface Side {
  /** Each copy of a message with its marks. */
  copies: string[];
  /** Each thread: its messages and marks. */
  threads: string[];
  /** Messages by folder. */
  counts: Record<string, number>;
}

async function stored({ servers }: ConnectedMailbox): Promise<Stored[]> {
  const fields = 'mailbox uid flags hdr.message-id hdr.from';
  const lines = (await servers.dovecot.doveadm('-f', 'tab', 'fetch', '-u', 'ada', fields, 'all')).split('\n');
  return lines.slice(1, -1).map((line) => {
    const [folder = '', uid, flags = '', id = '', from = ''] = line.split('\t');
    const has = (flag: string) => flags.split(' ').includes(flag);
    const rfc_id = id.replace(/[<>\s]/g, '');
    return { folder, uid: Number(uid), rfc_id, from, seen: has('\\Seen'), flagged: has('\\Flagged') };
  });
}

const copyOf = (path: string, uid: number, id_hash: string, marks: { seen: boolean; flagged: boolean }) =>
  `${path} ${uid} ${id_hash}${marks.seen ? ' seen' : ''}${marks.flagged ? ' flagged' : ''}`;

/** The messages of each thread of Ada, which begin with their Message-ID, and how she sees it. */
async function threadsOf({ ada, id: mailbox_id }: ConnectedMailbox) {
  const threads = await listAllThreads(ada.reader, { mailbox_id });
  const found: { ids: string[]; read: boolean; flagged: boolean }[] = [];
  for (const { id, read, flagged } of threads) {
    const { thread } = (await ada.reader.retrieveThread({ params: { id: `${id}` } })).body;
    found.push({
      ids: (thread.messages ?? []).map(({ snippet }) => `${snippet}`.split(' ', 1).join()).sort(),
      read,
      flagged,
    });
  }
  return found;
}

const threadAs = ({ ids, read, flagged }: { ids: string[]; read: boolean; flagged: boolean }) =>
  `${ids.join(' ')}${read ? ' read' : ''}${flagged ? ' flagged' : ''}`;

async function here(box: ConnectedMailbox, threads: Awaited<ReturnType<typeof threadsOf>>): Promise<Side> {
  const { table } = box.workspace;
  const copies: string[] = [];
  for (const { id, path } of await foldersOf(table, box.id))
    for await (const page of copiesIn(table, id))
      for (const copy of page) copies.push(copyOf(path, copy.uid, `${copy.id_hash}`, copy));
  const { folders } = await box.report();
  const counts = folders.map((row) => [row.name, row.messages_imported + row.messages_skipped]);
  return {
    copies: copies.sort(),
    threads: threads.map(threadAs).sort(),
    counts: Object.fromEntries(counts),
  };
}

/** Read when all received messages are, flagged when one of all is; a message is when one of its copies is. */
async function there(box: ConnectedMailbox, threads: Awaited<ReturnType<typeof threadsOf>>): Promise<Side> {
  const all = (await stored(box)).filter(({ folder }) => !APART.includes(folder));
  const own = box.ada.user.email_address;
  const byId = Map.groupBy(all, ({ rfc_id }) => rfc_id);
  const threadOf = new Map(threads.flatMap((thread) => thread.ids.map((id) => [id, thread])));
  const expected = [...Map.groupBy(byId.keys(), (id) => threadOf.get(id))].map(([thread, ids]) => {
    const of = (id: string) => byId.get(id) ?? [];
    const received = ids.filter((id) => !of(id)[0]?.from.includes(own));
    const read = received.every((id) => of(id).some(({ seen }) => seen));
    return {
      ids: ids.sort(),
      // The mark of a thread of own messages is of this side alone.
      read: received.length === 0 ? (thread?.read ?? false) : read,
      flagged: ids.some((id) => of(id).some(({ flagged }) => flagged)),
    };
  });
  return {
    copies: all
      .map(({ folder, uid, rfc_id, ...marks }) => copyOf(folder, uid, hashOfId(rfc_id), marks))
      .sort(),
    threads: expected.map(threadAs).sort(),
    counts: await box.servers.counts('ada'),
  };
}

export async function bothSides(box: ConnectedMailbox): Promise<{ here: Side; there: Side }> {
  const threads = await threadsOf(box);
  return { here: await here(box, threads), there: await there(box, threads) };
}
