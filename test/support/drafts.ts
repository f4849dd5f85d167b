import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist, type Table } from '#shared/table/table.ts';
import { listAllThreads } from './mail.ts';
import type { TestUser } from './workspace.ts';

/** Drafts, and mailboxes that can send them. */

const server = (port: number) => ({
  ...{ host: '127.0.0.1', port, tls: false, username: 'ada', password: null },
});

/** Lets a mailbox have servers, which nobody calls before something is sent. */
export async function outbound(
  table: Table,
  account_id: string,
  mailbox_id: string,
  changes: Partial<Mailbox> = {},
): Promise<void> {
  const mail_server: Mailbox['mail_server'] = { imap: server(143), smtp: server(587), oauth: null };
  await table.update<Mailbox>(keys.mailbox(account_id, mailbox_id), {
    set: { mail_server, ...changes },
    when: mustExist,
  });
}

export async function createDraft({ api }: TestUser, draft: object) {
  return (await api.createDraft({ body: { draft } as never })).body.draft;
}

export async function readDraft({ reader }: TestUser, id: string) {
  return (await reader.retrieveDraft({ params: { id } })).body.draft;
}

export async function draftsOf({ reader }: TestUser, query: object = {}) {
  return (await reader.listDrafts({ query })).body.drafts;
}

/** The messages that the user sees, by their snippets. */
export async function messagesBySnippet({ reader }: TestUser) {
  const threads = await listAllThreads(reader);
  const whole = await Promise.all(threads.map(({ id }) => reader.retrieveThread({ params: { id } })));
  const all = whole.flatMap(({ body }) =>
    (body.thread.messages ?? []).map((message) => ({ ...message, thread_id: body.thread.id })),
  );
  return new Map(all.map((message) => [message.snippet ?? '', message]));
}
