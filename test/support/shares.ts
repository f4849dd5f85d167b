import { eml, givenMailbox, importMail, listAllThreads } from './mail.ts';
import type { TestUser, Workspace } from './workspace.ts';

export const onThread = (record_id: string) => ({ record_type: 'threads' as const, record_id });
export const onMailbox = (record_id: string) => ({ record_type: 'mailboxes' as const, record_id });

/** Subjects of a user's list, newest first. */
export async function subjectsOf(user: TestUser, query: Record<string, string | boolean> = {}) {
  return (await listAllThreads(user.reader, query)).map((thread) => thread.subject);
}

export async function countOf(user: TestUser, query: Record<string, string | boolean> = {}) {
  return (await user.reader.countThreads({ query })).body.count.total;
}

/** A mailbox of the user with one thread for each subject, the first the oldest; ids by subject. */
export async function givenMail(workspace: Workspace, user: TestUser, subjects: string[]) {
  const mailbox = await givenMailbox(workspace, user, user.user.account_id);
  const date = (i: number) => new Date(Date.UTC(2026, 10, 2, 10, i)).toUTCString().replace('GMT', '+0000');
  const mail = subjects.map((subject, i) => eml({ id: `${mailbox}-${i}@x`, subject, date: date(i) }));
  await importMail(workspace, user, mailbox, mail);
  const threads = await listAllThreads(user.reader, { mailbox_id: mailbox });
  return { mailbox, threads: Object.fromEntries(threads.map(({ subject, id }) => [subject, id])) };
}
