import * as z from 'zod';
import { type Asked, type Toolbox, ToolRefused } from '#shared/domain/assistant/answering/assistant.ts';
import { table } from '#shared/domain/assistant/answering/tools/show.ts';
import { tool } from '#shared/domain/assistant/answering/tools/tool.ts';
import type { MessageView, ThreadRow, ThreadView } from '#shared/domain/assistant/answering/views.ts';
import { requiredText, uuid } from '#shared/values.ts';

/** An assistant's tools on a few records in memory, which record their calls. */

export const THREAD_ID = '0198c0de-0000-7000-8000-000000000001';

const row: ThreadRow = {
  id: THREAD_ID,
  subject: 'Pier 4: offer',
  snippet: 'The crane is booked',
  participants: [{ contact_id: null, name: 'Ada Byron', email_address: 'ada@example.com' }],
  message_count: 1,
  unread: true,
  flagged: false,
  resolved: false,
  awaiting: true,
  last_from: null,
  automatic: false,
  first_sent_at: '2026-11-19T08:00:00.000Z',
  last_sent_at: '2026-11-19T08:00:00.000Z',
  tags: ['Harbour'],
};

export function messageView(text: string): MessageView {
  return {
    id: 'm-crane',
    sent_at: '2026-11-19T08:00:00.000Z',
    from: { contact_id: null, name: 'Ada Byron', email_address: 'ada@example.com' },
    to: [],
    own: false,
    text,
    shortened: false,
    attachments: [],
  };
}

export function threadView(view: Partial<ThreadView> = {}): ThreadView {
  return {
    ...row,
    type: 'thread',
    snooze_until: null,
    messages: [messageView('The crane is booked for Monday.')],
    earlier: [],
    left_out: 0,
    comments: [],
    ...view,
  };
}

export interface Used {
  tools: Toolbox;
  /** Names of the tools and their input, in order. */
  calls: [name: string, input: unknown][];
  /** The proposed changes. */
  proposed: { action_type: string; params: Record<string, unknown> }[];
}

export function toolsOn(thread: ThreadView = threadView(), found: ThreadRow[] = [row]): Used {
  const calls: Used['calls'] = [];
  const proposed: Used['proposed'] = [];
  const used = <T>(name: string, input: unknown, result: T): T => {
    calls.push([name, input]);
    return result;
  };
  const tools: Toolbox = {
    read_record: tool(
      'read_record',
      'Reads',
      { type: z.enum(['thread', 'contact']), id: uuid },
      async (input) => {
        if (input.id !== thread.id) throw new ToolRefused('There is no such record');
        return used('read_record', input, thread);
      },
    ),
    search_threads: tool('search_threads', 'Finds', { query: requiredText(500) }, async (input) =>
      used('search_threads', input, { threads: found, total: found.length }),
    ),
    show_table: tool('show_table', 'Shows', table(['contact', 'thread']), async (input) =>
      used('show_table', input, { shown: true as const }),
    ),
    propose_change: tool(
      'propose_change',
      'Proposes',
      { action_type: z.string(), params: z.record(z.string(), z.unknown()) },
      async (input) => {
        proposed.push(input);
        return used('propose_change', input, { proposal_id: THREAD_ID, title: 'Apply a tag' });
      },
    ),
  };
  return { tools, calls, proposed };
}

export const asked: Asked = {
  text: 'When is the crane booked?',
  asker: { name: 'Grace Hopper', email_address: 'grace@example.com', time_zone: 'Europe/Zurich' },
  now: new Date('2026-11-20T09:30:00Z'),
  about: null,
  past: [],
};

export const onThread: Asked['about'] = { type: 'thread', id: THREAD_ID, label: 'Pier 4: offer' };

export const soon = () => Date.now() + 25_000;
