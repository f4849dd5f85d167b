import type { Context } from '#shared/context.ts';
import type { Assistant } from '#shared/domain/assistant/answering/assistant.ts';
import type { ActionPorts } from '#shared/domain/assistant/proposals/actions/action.ts';
import type { Members } from '#shared/domain/mail/threads/refresh.ts';
import type { Message, Thread } from '#shared/domain/mail/threads/thread.ts';
import type { Configuration } from './configuration.ts';

/** What an agent needs for one thread. */
export interface AgentRun {
  ctx: Context<ActionPorts>;
  assistant: Assistant;
  configuration: Configuration;
  thread: Thread;
  /** All messages, oldest first: users may see different ones. */
  messages: Message[];
  members: Members;
  /** Milliseconds. */
  deadline: number;
}
