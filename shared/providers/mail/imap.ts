import type { MailServers, MailStore } from '#shared/domain/mail/servers/server.ts';
import { foldersOf } from './imap-folders.ts';
import { copiesIn, findMessage, readMessage, stateOf, stateOfOpen } from './imap-reading.ts';
import { type ImapSession, openImap } from './imap-session.ts';
import type { Reach } from './reach.ts';

/** Mailboxes by IMAP (RFC 3501). */

/** UIDs in one command: the line stays short for every server. */
const UIDS = 500;
/** Bytes a second that a server takes at least. */
const SLOWEST = 100_000;

const groupsOf = (uids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(uids.length / UIDS) }, (_, i) => uids.slice(i * UIDS, (i + 1) * UIDS));

/** Flags that the server does not keep change nothing. */
async function changeFlags(
  { client }: ImapSession,
  uids: number[],
  flags: readonly string[] | undefined,
  by: 'messageFlagsAdd' | 'messageFlagsRemove',
): Promise<boolean> {
  const { permanentFlags } = client.mailbox || {};
  const kept = (flags ?? []).filter(
    (flag) => !permanentFlags || permanentFlags.has('\\*') || permanentFlags.has(flag),
  );
  return kept.length === 0 || client[by](uids, kept, { uid: true, silent: true });
}

/**
 * Without MOVE (RFC 6851), what was copied is marked as deleted, and removed where that is possible for single messages (RFC
 * 4315): EXPUNGE alone would remove what others marked.
 */
async function moveMessages({ client }: ImapSession, uids: number[], path: string): Promise<boolean> {
  if (client.capabilities.has('MOVE')) return !!(await client.messageMove(uids, path, { uid: true }));
  if (!(await client.messageCopy(uids, path, { uid: true }))) return false;
  if (client.capabilities.has('UIDPLUS')) return client.messageDelete(uids, { uid: true });
  return client.messageFlagsAdd(uids, ['\\Deleted'], { uid: true, silent: true });
}

function storeOf(session: ImapSession): MailStore {
  const { client } = session;
  return {
    folders: () => session.run(() => foldersOf(client)),
    state: (path) =>
      session.run(async () => {
        if (!session.isOpen(path)) return stateOf(client, path);
        await session.open(path);
        return stateOfOpen(client);
      }),
    copies: (place, uids, since) =>
      session.run(async (heard) => {
        await session.openPlace(place);
        return copiesIn(client, uids, since, heard);
      }),
    uids: (place) =>
      session.run(async () => {
        await session.openPlace(place);
        const found = await client.search({ all: true }, { uid: true });
        return Array.isArray(found) ? found : false;
      }),
    async read(place, uid, most) {
      const { raw } = await session.run(async (heard) => {
        await session.openPlace(place, { again: false });
        return readMessage(client, uid, most, heard);
      });
      return raw;
    },
    async setFlags(place, uids, { add, remove }) {
      for (const group of groupsOf(uids))
        await session.run(async () => {
          await session.openPlace(place, { write: true, again: false });
          const added = await changeFlags(session, group, add, 'messageFlagsAdd');
          return added && changeFlags(session, group, remove, 'messageFlagsRemove');
        });
    },
    find: (path, message_id) =>
      session.run(async () => {
        await session.open(path);
        return findMessage(client, message_id);
      }),
    async append(path, raw, flags, at) {
      const time = session.answer_time + (raw.length / SLOWEST) * 1_000;
      const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
      await session.run(async () => {
        // imapflow asks the folder that is open which flags it keeps.
        await session.open(path, { write: true, again: false });
        return client.append(path, bytes, [...flags], at);
      }, time);
    },
    async move(place, uids, path) {
      for (const group of groupsOf(uids))
        await session.run(async () => {
          await session.openPlace(place, { write: true, again: false });
          return moveMessages(session, group, path);
        });
    },
    close: () => session.close(),
  };
}

export const openStore =
  (reach: Reach): MailServers['openStore'] =>
  async (login, signal) =>
    storeOf(await openImap(login, reach, signal));
