import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { sealedServer } from '#shared/domain/mail/servers/login.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { sealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import { getServices } from '#shared/services.ts';
import { handler } from '../../functions/queues/send-drafts.ts';
import { createDraft, outbound } from './drafts.ts';
import { ImapServer } from './imap-server.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import { givenMailbox } from './mail.ts';
import { startWorkspace, type TestUser, type Workspace } from './workspace.ts';

/** Servers of a mailbox that sends, which do what they are told. */

const PASSWORD = 'right password';

export interface Taken {
  from: string;
  to: string[];
  raw: string;
}

/** What happens to the next mails, in turn. Without more it is taken. */
type Turn =
  | 'take'
  /** It is taken, and the connection ends before that is said. */
  | 'take silently'
  /** The connection ends after the last line. */
  | 'drop'
  /** A reply to the mail. */
  | { reply: number; text?: string }
  /** A reply to one recipient. */
  | { refuse: number; address: string; text?: string };

export class SendingServers {
  readonly imap = new ImapServer();
  readonly taken: Taken[] = [];
  readonly turns: Turn[] = [];
  /** Is called when a mail was taken, before that is said. */
  onTaken: () => void = () => {};
  accepts_password = true;
  /** Mails that were begun. */
  begun = 0;
  #smtp = this.#server();

  #server(options: SMTPServerOptions = {}) {
    const reply = (responseCode: number, text = 'No') => Object.assign(new Error(text), { responseCode });
    const server = new SMTPServer({
      authMethods: ['PLAIN', 'LOGIN'],
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) =>
        this.accepts_password ? done(null, { user: 'ada' }) : done(reply(535, '5.7.8 Wrong')),
      onMailFrom: (_from, _session, done) => {
        this.begun++;
        done(null);
      },
      onRcptTo: ({ address }, _session, done) => {
        const [turn] = this.turns;
        const refuses = typeof turn === 'object' && 'refuse' in turn && turn.address === address;
        if (refuses) this.turns.shift();
        done(refuses ? reply(turn.refuse, turn.text) : null);
      },
      onData: (stream, session, done) => {
        buffer(stream).then((bytes) => {
          const turn = this.turns.shift() ?? 'take';
          if (turn === 'take' || turn === 'take silently') {
            const { mailFrom, rcptTo } = session.envelope;
            const from = mailFrom ? mailFrom.address : '';
            this.taken.push({
              from,
              to: rcptTo.map(({ address }) => address),
              raw: bytes.toString('latin1'),
            });
            this.onTaken();
          }
          if (turn === 'take') return done(null);
          if (typeof turn === 'object' && 'reply' in turn) return done(reply(turn.reply, turn.text));
          this.#dropAll();
        }, done);
      },
      ...options,
    });
    server.on('error', () => {});
    return server;
  }

  #dropAll(): void {
    const { connections } = this.#smtp as unknown as { connections: Set<{ _socket: { destroy(): void } }> };
    for (const connection of connections) connection._socket.destroy();
  }

  async start(): Promise<this> {
    await this.imap.start();
    this.#smtp.listen(0, '127.0.0.1');
    await once(this.#smtp.server, 'listening');
    return this;
  }

  get smtp_port(): number {
    return (this.#smtp.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await this.imap.stop();
    await new Promise<void>((resolve) => this.#smtp.close(() => resolve()));
  }

  /** Of a user at the server, the mails in the folder of sent mail. */
  sent(name: string) {
    return this.imap.users.get(name)?.folders.get('Sent')?.messages ?? [];
  }
}

/** A mailbox of the user at these servers. */
export async function givenSender(
  workspace: Workspace,
  user: TestUser,
  servers: SendingServers,
  name = user.user.email_address,
): Promise<string> {
  workspace.ctx.config.mail_private_hosts = true;
  const mailbox_id = await givenMailbox(workspace, user);
  if (!servers.imap.users.has(name)) servers.imap.user(name, PASSWORD);
  const place = { host: '127.0.0.1', tls: false, username: name, password: PASSWORD };
  const sealing = await sealingKeys(getServices());
  const mail_server = {
    imap: sealedServer(sealing, mailbox_id, 'imap', { ...place, port: servers.imap.port }),
    smtp: sealedServer(sealing, mailbox_id, 'smtp', { ...place, port: servers.smtp_port }),
    oauth: null,
  };
  await outbound(workspace.table, workspace.account_id, mailbox_id, { mail_server });
  return mailbox_id;
}

export const jobsOfDrafts = ({ table }: Workspace): Promise<Job[]> => openJobs<Job>(table, 'send-drafts');

/** Delivers these jobs once; the drafts that failed may be tried again. */
export async function deliverDrafts(jobs: Job[]): Promise<number> {
  let failed = 0;
  for (const { id, body } of jobs)
    failed += (await deliverMessages(handler, [{ job_id: id, ...body }])).failed.length;
  return failed;
}

/** The same with all that are open. */
export const runSending = async (workspace: Workspace): Promise<number> =>
  deliverDrafts(await jobsOfDrafts(workspace));

/** Writes a draft, and queues it. */
export async function queueDraft(user: TestUser, draft: object): Promise<string> {
  const { id } = await createDraft(user, { to_email_addresses: ['priya@ferries.example'], ...draft });
  await user.api.sendDraft({ params: { draft_id: id }, body: {} });
  return id;
}

/** A workspace in which Ada sends by servers of her own. */
export async function startSending() {
  const workspace = await startWorkspace({ files: true });
  const { ada } = workspace;
  const servers = await new SendingServers().start();
  return { workspace, ada, servers, mailbox_id: await givenSender(workspace, ada, servers) };
}
