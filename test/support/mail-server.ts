import type { Context } from '#shared/context.ts';
import type { Labels, MailProvider, ReachesMailServers } from '#shared/domain/mail/label-sync/provider.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';

interface Told {
  mailbox_id: string;
  message_ids: string[];
  labels: Labels;
}

/** A mail server in memory behind the port, which stores the labels of every message and records its calls. */
export class MailServer implements MailProvider {
  readonly told: Told[] = [];
  /** Handles each call: `set` sets the labels. */
  respond: (set: () => void, signal: AbortSignal) => Promise<void> = async (set) => set();
  private readonly labels = new Map<string, Required<Labels>>();

  async setLabels(mailbox: Mailbox, message_ids: string[], labels: Labels, signal: AbortSignal) {
    await this.respond(() => {
      this.told.push({ mailbox_id: mailbox.id, message_ids: [...message_ids].sort(), labels });
      for (const id of message_ids)
        this.labels.set(`${mailbox.id} ${id}`, { ...this.labelsOf(mailbox.id, id), ...labels });
    }, signal);
  }

  /** Mail arrives unread and without a flag. */
  labelsOf(mailbox_id: string, message_id: string): Required<Labels> {
    return this.labels.get(`${mailbox_id} ${message_id}`) ?? { read: false, flagged: false };
  }
}

/** Gives mailboxes filled from archives this server, for workers and for users of the context. */
export function reachMailServer(ctx: Context<ReachesMailServers>, server: MailProvider): void {
  const ports: ReachesMailServers = { mail_servers: { import: server } };
  ctx.stand_ins = { ...ports };
  ctx.ports = { ...ctx.ports, ...ports };
}
