import { getLogger, recordUsage } from '../../log.ts';
import type { Usage } from '../../providers/assistant/assistant.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';

/** What the assistant did for an account. */
export interface Work {
  stage: string;
  account_id: string;
  /** `reply`, or the slug of an agent. */
  purpose: string;
  assistant: string;
  usage: Usage;
  duration_ms: number;
}

/** Adds to the account's counters of the month, and says so in log and metrics. */
export async function countUsage(table: Table, work: Work, now: Date): Promise<void> {
  const { account_id, purpose, assistant, usage, duration_ms } = work;
  getLogger().info('assistant worked', { account_id, purpose, assistant, ...usage, duration_ms });
  recordUsage(work);
  await table.update(
    keys.assistantUsage(account_id, now.toISOString().slice(0, 7)),
    {
      update: 'ADD answers :one, input_tokens :input, output_tokens :output',
      values: { ':one': 1, ':input': usage.input_tokens, ':output': usage.output_tokens },
    },
    'NONE',
  );
}
