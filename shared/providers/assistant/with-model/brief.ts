import type { Answer, Day, DaySection } from '#shared/domain/assistant/answering/assistant.ts';
import type { LanguageModel } from '#shared/providers/assistant/model.ts';
import { askOnce } from './ask-once.ts';
import { DataMarks, jsonOf } from './data.ts';
import { beginning, RESULT_BYTES } from './limits.ts';

/** Bytes of a briefing that are used, and of the name of a record that it is about. */
const BRIEFING_BYTES = 8_000;
const NAME_BYTES = 200;

type Row = DaySection['rows'][number];

const shortened = (row: Row): Row => ({ ...row, name: row.name && beginning(row.name, NAME_BYTES) });

export async function brief(model: LanguageModel, day: Day, deadline: number): Promise<Answer> {
  const { reader, date, sections } = day;
  const marks = new DataMarks();
  const system = [
    `You write the daily briefing of ${beginning(reader.name.replaceAll(/\s+/g, ' '), NAME_BYTES)} for ${date}, in ${reader.time_zone}.`,
    'Two to six sentences: what the day brings, and what to begin with. `total` is the number of all records of a section; the first ones are listed.',
    'Say only what the data says: no other name, number or time.',
    marks.rule,
    'Plain text without Markdown, in English.',
    'Refer to a record as [its name](thread:<id>), with its type and id.',
  ];
  const told = sections.map((section) => ({ ...section, rows: section.rows.map(shortened) }));
  const data = marks.around(jsonOf(told), RESULT_BYTES);
  const { text, usage } = await askOnce(model, system, data, deadline);
  return { text: beginning(text, BRIEFING_BYTES), usage };
}
