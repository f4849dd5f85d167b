import type { Context } from '#shared/context.ts';
import type { Labels } from '#shared/domain/mail/label-sync/labels.ts';
import type {
  FlagChange,
  MailServers,
  MailStore,
  ReachesMailServers,
} from '#shared/domain/mail/servers/server.ts';

interface Told {
  mailbox_id: string;
  message_ids: string[];
  labels: Labels;
}

export const INBOX = { path: 'INBOX', uidvalidity: '1' };

/** The messages in the inbox of each mailbox, by UID. */
const inboxes = new Map<string, Map<number, string>>();

/** Puts a message into the inbox of a mailbox; its UID. */
export function serve(mailbox_id: string, message_id: string): number {
  const inbox = inboxes.get(mailbox_id) ?? new Map<number, string>();
  inboxes.set(mailbox_id, inbox);
  const uid = inbox.size + 1;
  inbox.set(uid, message_id);
  return uid;
}

function labelsIn({ add = [], remove = [] }: FlagChange): Labels {
  const value = (flag: string) => (add.includes(flag) ? true : remove.includes(flag) ? false : undefined);
  const [read, flagged] = [value('\\Seen'), value('\\Flagged')];
  return { ...(read === undefined ? {} : { read }), ...(flagged === undefined ? {} : { flagged }) };
}

const unused = () => Promise.reject(new Error('No test of labels needs it'));

/** Mail servers in memory behind the port: the user of a session is the id of its mailbox. Calls are recorded. */
export class MailServer implements MailServers {
  readonly told: Told[] = [];
  /** Handles each session, or each change of flags: `set` makes it. */
  respond: (set: () => void, signal: AbortSignal, mailbox_id: string) => Promise<void> = async (set) => set();
  private readonly labels = new Map<string, Required<Labels>>();

  async openStore({ username }: { username: string }, signal: AbortSignal): Promise<MailStore> {
    const messages = () => inboxes.get(username) ?? new Map<number, string>();
    const uidsOf = (wanted: (uid: number, id: string) => boolean) =>
      [...messages()].flatMap(([uid, id]) => (wanted(uid, id) ? [uid] : []));
    return {
      folders: async () => [{ path: INBOX.path, role: 'inbox', server_id: null }],
      state: async () => ({
        ...{ uidvalidity: INBOX.uidvalidity, uidnext: messages().size + 1 },
        ...{ messages: messages().size, modseq: null },
      }),
      copies: async (_, { from, to = Number.POSITIVE_INFINITY }) =>
        uidsOf((uid) => uid >= from && uid <= to).map((uid) => {
          const { read, flagged } = this.labelsOf(username, messages().get(uid) as string);
          return { uid, size: 1, seen: read, flagged, received_at: null };
        }),
      uids: async () => uidsOf(() => true),
      setFlags: async (_, uids, change) => {
        const ids = uids.flatMap((uid) => messages().get(uid) ?? []);
        await this.respond(() => this.set(username, ids, labelsIn(change)), signal, username);
      },
      find: async (_, message_id) => uidsOf((_uid, id) => id === message_id),
      close: async () => undefined,
      ...{ read: unused, append: unused, move: unused },
    };
  }

  openTransport = unused;

  private set(mailbox_id: string, message_ids: string[], labels: Labels): void {
    this.told.push({ mailbox_id, message_ids: [...message_ids].sort(), labels });
    for (const id of message_ids)
      this.labels.set(`${mailbox_id} ${id}`, { ...this.labelsOf(mailbox_id, id), ...labels });
  }

  /** Somebody changes them in another program. */
  change(mailbox_id: string, message_id: string, labels: Labels): void {
    this.labels.set(`${mailbox_id} ${message_id}`, { ...this.labelsOf(mailbox_id, message_id), ...labels });
  }

  /** Mail arrives unread and without a flag. */
  labelsOf(mailbox_id: string, message_id: string): Required<Labels> {
    return this.labels.get(`${mailbox_id} ${message_id}`) ?? { read: false, flagged: false };
  }

  /** Of a thread with these messages. */
  threadAt(mailbox_id: string, message_ids: string[]): Required<Labels> {
    const each = message_ids.map((id) => this.labelsOf(mailbox_id, id));
    return { read: each.every(({ read }) => read), flagged: each.some(({ flagged }) => flagged) };
  }
}

/** Gives mailboxes this server, for workers and for users of the context. */
export function reachMailServer(ctx: Context<ReachesMailServers>, server: MailServers): void {
  const ports: Pick<ReachesMailServers, 'mail_server'> = { mail_server: () => server };
  ctx.stand_ins = { ...ports };
  ctx.ports = { ...ctx.ports, ...ports };
}
