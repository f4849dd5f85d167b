import { eml, givenMailbox, importMail, listAllThreads } from './mail.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** One thread of which two users see different messages, under different subjects. */

export interface View {
  user: TestUser;
  mailbox: string;
  subject: string;
}

export interface TwoViews {
  /** The thread of both. */
  id: string;
  first: View;
  second: View;
  /** The Message-ID of the reply, which the second user alone sees. */
  reply: string;
}

let made = 0;

/**
 * The second user was a recipient of the first mail and never got it; the reply to it, under another subject, went to
 * the second user alone.
 */
export async function givenTwoViews(
  workspace: Workspace,
  first: TestUser,
  second: TestUser,
  subjects: [string, string] = ['Merger terms', 'Ferry times'],
): Promise<TwoViews> {
  const name = `views-${++made}`;
  const [mine, other] = [await givenMailbox(workspace, first), await givenMailbox(workspace, second)];
  const { email_address } = second.user;
  await importMail(workspace, first, mine, [
    eml({ id: `${name}-1@x`, subject: subjects[0], to: first.user.email_address, cc: email_address }),
  ]);
  await importMail(workspace, second, other, [
    eml({
      id: `${name}-2@x`,
      subject: subjects[1],
      to: email_address,
      in_reply_to: `${name}-1@x`,
      date: 'Tue, 03 Nov 2026 10:00:00 +0000',
    }),
  ]);
  const [seen] = await listAllThreads(first.reader, { mailbox_id: mine });
  const [also] = await listAllThreads(second.reader, { mailbox_id: other });
  if (!seen || seen.id !== also?.id) throw new Error('The two mails are not one thread');
  return {
    id: seen.id,
    reply: `${name}-2@x`,
    first: { user: first, mailbox: mine, subject: subjects[0] },
    second: { user: second, mailbox: other, subject: subjects[1] },
  };
}
