import { lines } from '#shared/providers/assistant/built-in/say.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** What the assistant can do, by the tools it was given. */
export function abilities(workspace: Workspace): string {
  const search = workspace.has('search_threads');
  return lines(
    'I am the built-in assistant. I work without a language model: I look things up in the mail and contacts that you see, and quote what I find.',
    'On a thread you can ask for a summary, who said what and when, open questions, files, dates and deadlines, and who is on it.',
    'On a contact you can ask who it is, when you last mailed, and what was said.',
    workspace.has('search_tasks') && 'Anywhere you can ask which tasks are open, due or overdue.',
    search &&
      'Anywhere you can ask what is new today, for a summary of your inbox, when something is, and which threads are unread, open or waiting for an answer, or have me find threads and contacts.',
    workspace.has('propose_change')
      ? 'I can propose small changes, which you accept or reject: add or remove a tag, add a contact, an organization, a deal or a job, change a contact’s name, headline, nickname, time zone or birthday, add or complete a task, move a deal, draft a reply with your words.'
      : 'I change nothing.',
    'I do not send mail, and I read questions in English only.',
  );
}
