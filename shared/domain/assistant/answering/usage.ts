import type { Context } from '#shared/context.ts';
import { getLogger, recordUsage } from '#shared/log.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import type { Assistant, Usage } from './assistant.ts';

/** A unit of the assistant's work for an account. */
interface Work {
  account_id: string;
  /** `reply`, or the slug of an agent. */
  purpose: string;
  assistant: Assistant;
}

/** The assistant's usage of an account in one month. */
type UsageItem = Item & { answers?: number; input_tokens?: number; output_tokens?: number };

/** Runs the work; adds its usage to the account's counters of the month, to log and metrics. */
export async function counted<Answer extends { usage: Usage }>(
  { table, config, clock }: Context,
  { account_id, purpose, assistant }: Work,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const started = performance.now();
  const answer = await work();
  const duration_ms = Math.round(performance.now() - started);
  const { usage } = answer;
  getLogger().info('assistant worked', {
    account_id,
    purpose,
    assistant: assistant.name,
    ...usage,
    duration_ms,
  });
  recordUsage({ stage: config.stage, account_id, purpose, usage, duration_ms });
  await table.update<UsageItem>(
    keys.assistantUsage(account_id, clock().toISOString().slice(0, 7)),
    { add: { answers: 1, input_tokens: usage.input_tokens, output_tokens: usage.output_tokens } },
    'NONE',
  );
  return answer;
}
