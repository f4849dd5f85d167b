import type { DemoUserKey } from './people.ts';
import type { Workspace } from './workspace.ts';

export interface DemoDraft {
  by: DemoUserKey;
  body: string;
  /** Of one that answers, both are those of the newest message. */
  to?: readonly string[];
  subject?: string;
  answers_thread?: string;
}

/** What people have written and not sent. The mailboxes of the demo have no servers, so nothing of it can be queued. */
export async function addDrafts(workspace: Workspace, drafts: readonly DemoDraft[]): Promise<void> {
  for (const { by, body, to, subject, answers_thread } of drafts) {
    const { api, mailbox_id } = workspace.user(by);
    if (mailbox_id === null) throw new Error(`The demo has no mailbox of ${by}`);
    const answered = answers_thread && (await newestMessage(workspace, by, answers_thread));
    const draft = {
      ...{ mailbox_id, body },
      ...(to ? { to_email_addresses: [...to] } : {}),
      ...(subject ? { subject } : {}),
      ...(answered ? { kind: 'reply' as const, in_reply_to_message_id: answered } : {}),
    };
    await api.createDraft({ body: { draft } });
  }
}

async function newestMessage(workspace: Workspace, by: DemoUserKey, subject: string): Promise<string> {
  const id = await workspace.thread(by, subject);
  const { thread } = (await workspace.api(by).retrieveThread({ params: { id } })).body;
  const message = thread.messages?.at(-1);
  if (!message) throw new Error(`The demo has no message in "${subject}"`);
  return message.id;
}
