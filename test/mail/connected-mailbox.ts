import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { handler as syncLabels } from '../../functions/queues/sync-labels.ts';
import { connectMailbox } from '../support/connected.ts';
import type { Dice } from '../support/dice.ts';
import { crashAfter, type Fault } from '../support/faults.ts';
import { deliverMessages, openJobs } from '../support/jobs.ts';
import { mailboxOf, runMailSync } from '../support/mail-sync.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';
import { type MailServers, type MailServersOptions, startMailServers } from './servers.ts';

/** Ada's mailbox at Dovecot, connected as clients do it, with workers that run and die when a test says so. */

const PASSWORD = 'the first password';
const MINUTE = 60_000;
/** After which nobody holds a job of a worker that died. */
const FORGOTTEN = 30 * MINUTE;

export class ConnectedMailbox {
  readonly workspace: Workspace;
  readonly servers: MailServers;
  readonly id: string;
  readonly password = PASSWORD;
  readonly #start = Date.now();
  #passed = 0;

  private constructor(workspace: Workspace, servers: MailServers, id: string) {
    this.workspace = workspace;
    this.servers = servers;
    this.id = id;
  }

  static async start(options: Omit<MailServersOptions, 'passwords'> = {}): Promise<ConnectedMailbox> {
    const servers = await startMailServers({ passwords: { ada: PASSWORD }, ...options });
    const workspace = await startWorkspace({ files: true, own_table: true });
    workspace.ctx.config.mail_private_hosts = true;
    const { tls_port: port } = servers.dovecot;
    const imap = { host: 'localhost', port, tls: true, username: 'ada', password: PASSWORD };
    const { body } = await connectMailbox(workspace.ada, workspace.ada.user.email_address, { imap });
    return new ConnectedMailbox(workspace, servers, body.mailbox.id);
  }

  async stop(): Promise<void> {
    this.workspace.setTime(undefined);
    await this.workspace.stop();
    await this.servers.stop();
  }

  get ada(): TestUser {
    return this.workspace.ada;
  }

  pass(milliseconds: number): void {
    this.#passed += milliseconds;
    this.workspace.setTime(new Date(this.#start + this.#passed));
  }

  async ask(full: boolean): Promise<void> {
    await this.ada.api.syncMailbox({ params: { mailbox_id: this.id }, body: { full } });
  }

  /** Reads what is new there; with `call`, the worker dies at this call of the table. */
  async read({ full = false, call }: { full?: boolean; call?: number | undefined } = {}): Promise<void> {
    this.pass(MINUTE);
    await this.ask(full);
    await this.#dying(call, () => runMailSync(this.workspace, 900_000, call === undefined ? 50 : 1));
  }

  /** Writes marks to the server that are owed to it. */
  async write({ call }: { call?: number | undefined } = {}): Promise<void> {
    const jobs = await openJobs<Job>(this.workspace.table, 'sync-labels');
    await this.#dying(call, async () => {
      for (const { id } of jobs) await deliverMessages(syncLabels, [{ job_id: id }]);
    });
  }

  async #dying(call: number | undefined, work: () => Promise<unknown>): Promise<void> {
    if (call === undefined) {
      await work();
      return;
    }
    const death: Fault = crashAfter(this.workspace.table, call);
    await work().catch(() => undefined);
    death.remove();
    if (death.hit) this.pass(FORGOTTEN);
  }

  /** Until both sides have nothing to tell. */
  async settle(): Promise<void> {
    this.pass(FORGOTTEN);
    for (let round = 0; round < 3; round++) {
      await this.write();
      await this.read({ full: true });
    }
  }

  mailbox = () => mailboxOf(this.workspace, this.ada, this.id);

  report = async () =>
    (await this.ada.reader.retrieveSyncReport({ params: { mailbox_id: this.id } })).body.sync_report;
}

/** A call at which a worker dies, for some of all runs. */
export const someCall = (dice: Dice, most: number, percent = 40) =>
  dice.chance(percent) ? dice.int(1, most) : undefined;
