import type { Assistant, Usage } from '../../providers/assistant/assistant.ts';
import type { Services } from '../../services.ts';
import { countUsage } from '../assistant/usage.ts';
import type { Members } from '../threads/refresh.ts';
import type { Message, Thread } from '../threads/thread.ts';
import type { AgentSlug, Configuration } from './configuration.ts';

/** What an agent needs to look at one thread. */
export interface AgentRun {
  services: Services;
  assistant: Assistant;
  configuration: Configuration;
  thread: Thread;
  /** Oldest first, all of them: what users see of them differs. */
  messages: Message[];
  members: Members;
  /** Milliseconds. */
  deadline: number;
}

/** Asks the assistant, and counts what that took. */
export async function askFor<Answer extends { usage: Usage }>(
  { services, assistant, thread }: AgentRun,
  purpose: AgentSlug,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const started = performance.now();
  const answer = await work();
  const duration_ms = Math.round(performance.now() - started);
  const { stage } = services.config;
  const { account_id } = thread;
  await countUsage(
    services.table,
    { stage, account_id, purpose, assistant: assistant.name, usage: answer.usage, duration_ms },
    services.now(),
  );
  return answer;
}
