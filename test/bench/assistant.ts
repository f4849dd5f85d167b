import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createClient } from '#shared/api/client.ts';
import { clientOptions } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import { families } from '../../functions/catalogue.ts';
import { asking } from '../../infra/local/demo/ask.ts';
import { demoUser } from '../../infra/local/demo/fill.ts';
import { type DemoQuestion, demoQuestions } from '../../infra/local/demo/questions.ts';
import { withDemo } from '../../infra/local/demo/with-demo.ts';
import { openJobs } from '../support/jobs.ts';
import { type Cost, measureTable } from '../support/meter.ts';
import { type Extent, machine, markdownTable, median, report } from './numbers.ts';

/** `npm run bench assistant`: from a question to the finished reply, with the built-in assistant. */

const RUNS = 20;
/** Milliseconds between two polls of the question's job, which is deleted when the reply is written. */
const LOOK = 2;

interface Sample {
  milliseconds: number;
  cost: Cost;
}

interface Line {
  question: DemoQuestion;
  samples: Sample[];
}

/** From sending the question until its reply is written. `look` has a client of its own: polling is not measured. */
async function measure(table: Table, look: Table, ask: () => Promise<unknown>): Promise<Sample> {
  let milliseconds = 0;
  const cost = await measureTable(
    table,
    async () => {
      const start = performance.now();
      await ask();
      while ((await openJobs(look, 'reply-as-assistant')).length > 0) await pause(LOOK);
      milliseconds = performance.now() - start;
    },
    0,
  );
  return { milliseconds, cost };
}

const quantile = (values: number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.ceil(part * values.length) - 1] ?? Number.NaN;

function placeOf({ ask_on }: DemoQuestion): string {
  if (!ask_on) return 'conversation';
  return 'thread_subject' in ask_on ? 'thread' : 'contact';
}

function row({ question, samples }: Line): (string | number)[] {
  const all = (read: (sample: Sample) => number) => samples.map(read);
  const middle = (read: (cost: Cost) => number) =>
    Math.round(median(all(({ cost }) => read(cost))) * 10) / 10;
  const times = all(({ milliseconds }) => milliseconds);
  return [
    question.text.replaceAll('|', ' '),
    placeOf(question),
    middle(({ calls }) => calls.length),
    middle(({ read_units }) => read_units),
    middle(({ writes }) => writes),
    Math.round(quantile(times, 0.5)),
    Math.round(quantile(times, 0.95)),
  ];
}

function page(lines: Line[]): string {
  const times = lines.flatMap(({ samples }) => samples.map(({ milliseconds }) => milliseconds));
  const head = ['Question', 'asked on', 'calls', 'RRU', 'writes', 'p50, ms', 'p95, ms'];
  return `# The assistant

Written by \`npm run bench assistant\`: ${machine()}, DynamoDB Local in memory, the demo workspace, the built-in assistant.
${RUNS} runs of each question.

- **p50**, **p95**: from the request that asks, over the queue and its worker, to the finished reply. Client, gateway,
  queue, worker and database share one machine, and nothing here is a network: they compare within one run.
- **calls**: to the table, of the request, its authentication and the worker together. **RRU**: the read units of all calls.
  **writes**: items written, or checked in a transaction. Medians of all runs.

From question to answer, over all questions: p50 ${Math.round(quantile(times, 0.5))} ms, p95 ${Math.round(quantile(times, 0.95))} ms.

${markdownTable(head, 'llrrrrr', lines.map(row))}
`;
}

export function run(extent: Extent): Promise<void> {
  const runs = extent.small ? 1 : RUNS;
  return withDemo(async ({ stack, demo }) => {
    const { services } = stack;
    services.config.assistant.questions_per_minute = 1_000_000;
    const dynamodb = new DynamoDBClient(clientOptions(services.config.dynamodb_endpoint));
    const look = new Table(services.table.name, dynamodb);
    const lines: Line[] = [];
    for (const question of demoQuestions) {
      const { write_key: key } = demoUser(demo, question.as);
      const api = createClient(families, { base_url: stack.url, key });
      const ask = await asking(api, question);
      const samples: Sample[] = [];
      for (let i = 0; i < runs; i++) samples.push(await measure(services.table, look, ask));
      lines.push({ question, samples });
    }
    const text = page(lines);
    await report(extent, { file: 'assistant.md', page: text, printed: text });
    dynamodb.destroy();
  });
}
