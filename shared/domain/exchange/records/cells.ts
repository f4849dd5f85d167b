import { invalidField } from '#shared/errors.ts';
import { readTarget } from './fields.ts';
import { type Style, several, severalWithCommas, unescaped } from './written-values.ts';

/** The cells of a row by what they are. Empty ones are left out: they change nothing. */

/** Characters of a cell: a record has no room for more. */
const LONGEST = 100 * 1024;

export interface Value {
  label: string | null;
  text: string;
}

export class Cells {
  readonly style: Style;
  readonly #values = new Map<string, Value[]>();

  constructor(targets: (string | null)[], row: string[], style: Style) {
    this.style = style;
    targets.forEach((target, i) => {
      const text = unescaped(row[i] ?? '').trim();
      if (target === null || text === '') return;
      const { field, label } = readTarget(target);
      this.#values.set(field, [...(this.#values.get(field) ?? []), { label, text }]);
    });
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /** 400 for one that is too long, before anything is done with it. */
  all(field: string): Value[] {
    const values = this.#values.get(field) ?? [];
    if (values.some(({ text }) => text.length > LONGEST))
      throw invalidField(field, 'too_long', `must have at most ${LONGEST} characters in a cell`);
    return values;
  }

  one(field: string): string | undefined {
    return this.all(field)[0]?.text;
  }

  /** Several values in one cell or in several. */
  many(field: string): Value[] {
    return this.all(field).flatMap(({ label, text }) => several(text).map((each) => ({ label, text: each })));
  }

  /** The same, for values that have no commas. */
  words(field: string): string[] {
    return this.all(field).flatMap(({ text }) => severalWithCommas(text));
  }

  /** Those of the fields that have a value, as they are. */
  plain(fields: readonly string[]): Record<string, string> {
    return Object.fromEntries(
      fields.flatMap((field) => {
        const text = this.one(field);
        return text === undefined ? [] : [[field, text] as const];
      }),
    );
  }
}
