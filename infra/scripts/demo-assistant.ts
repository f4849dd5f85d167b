import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '#shared/api/client.ts';
import type { Block } from '#shared/domain/collaboration/replies/block.ts';
import { families } from '../../functions/catalogue.ts';
import { askDemo, type DemoAnswer } from '../local/demo/ask.ts';
import { demoUser } from '../local/demo/fill.ts';
import { type DemoQuestion, demoQuestions } from '../local/demo/questions.ts';
import { withDemo } from '../local/demo/with-demo.ts';

/** `npm run demo:assistant`: asks the configured assistant questions about the demo workspace. */

const HELP = `Fills the demo workspace in memory, asks the assistant twenty questions, and prints what it answers.

  npm run demo:assistant             the assistant that ASSISTANT_PROVIDER names, built-in if nothing is said
  npm run demo:assistant -- --write  writes the answers into docs/assistant.md as well
  npm run demo:assistant -- --help   this text
`;

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'assistant.md');
const BEGIN = '<!-- answers: npm run demo:assistant -- --write -->';

function whereOf({ ask_on }: DemoQuestion): string {
  if (!ask_on) return 'in a conversation';
  return 'thread_subject' in ask_on
    ? `on the thread “${ask_on.thread_subject}”`
    : `on the contact ${ask_on.contact_name}`;
}

const cell = (value: string | number | null) =>
  String(value ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');

/** A block as Markdown; prose is already in the text. */
function render(block: Block, refs: DemoAnswer['refs']): string {
  switch (block.type) {
    case 'text':
      return '';
    case 'cards': {
      const labels = block.ids.map((id) => refs.find((ref) => ref.id === id)?.label ?? id);
      return `${block.card_type} cards${block.title ? ` “${block.title}”` : ''}: ${labels.join('; ')}`;
    }
    case 'table': {
      const head = `| ${block.columns.map(({ label }) => cell(label)).join(' | ')} |`;
      const rule = `|${block.columns.map(() => '---|').join('')}`;
      const rows = block.rows.map(
        ({ cells }) => `| ${block.columns.map(({ key }) => cell(cells[key] ?? null)).join(' | ')} |`,
      );
      return [...(block.title ? [`${block.title}:`, ''] : []), head, rule, ...rows].join('\n');
    }
    case 'proposal': {
      const { title } = (block.display ?? {}) as { title?: string };
      return `Proposal (${block.action_type}, ${block.status}): ${title ?? ''}`;
    }
  }
}

/** Two spaces end a line in Markdown. */
const lines = (text: string) => text.replaceAll('\n', '  \n');

function section(number: number, name: string, question: DemoQuestion, answer: DemoAnswer): string {
  const blocks = answer.blocks.map((block) => render(block, answer.refs)).filter((text) => text !== '');
  const failed = answer.status === 'failed' ? ['(failed)'] : [];
  return [
    `### ${number}. ${name}, ${whereOf(question)}`,
    `> ${question.text}`,
    ...failed,
    lines(answer.text ?? ''),
    ...blocks,
  ].join('\n\n');
}

function ask(): Promise<string> {
  return withDemo(async ({ stack, demo }) => {
    const sections: string[] = [];
    for (const [i, question] of demoQuestions.entries()) {
      const user = demoUser(demo, question.as);
      const api = createClient(families, { base_url: stack.url, key: user.write_key });
      const text = section(i + 1, user.name, question, await askDemo(api, question));
      console.log(`${text}\n`);
      sections.push(text);
    }
    return sections.join('\n\n');
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { help: { type: 'boolean' }, write: { type: 'boolean' } } });
  if (values.help) return console.log(HELP);
  const answers = await ask();
  if (!values.write) return;
  const [written = ''] = (await readFile(PAGE, 'utf8')).split(BEGIN);
  await writeFile(PAGE, `${written}${BEGIN}\n\n${answers}\n`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
