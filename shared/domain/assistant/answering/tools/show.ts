import * as z from 'zod';
import { type Ref, refKey, type StoredBlock } from '#shared/domain/collaboration/replies/block.ts';
import { uuid } from '#shared/values.ts';
import { ToolRefused } from '../assistant.ts';
import { readPersonalLabels } from '../labels.ts';
import type { ToolContext } from './context.ts';
import { type RecordTools, recordTools } from './record-tools.ts';

/** Blocks of an answer. It can only show records that the tools returned, not any id. */

const title = z.string().max(200).optional();

export function cards(families: Record<string, RecordTools>) {
  const card_type = z.enum(Object.values(families).flatMap((family) => family.card_type ?? []));
  return { card_type, ids: z.array(uuid).min(1).max(50), title };
}

const cell = z.union([z.string().max(500), z.number(), z.null()]);

const columns = z
  .array(
    z.object({
      key: z.string().min(1).max(50),
      label: z.string().max(100),
      kind: z.enum(['money', 'date', 'number', 'text']).optional(),
    }),
  )
  .min(1)
  .max(12);

/** A row may refer to a record of one of the types. */
export function table(types: string[]) {
  const ref = z.object({ type: z.enum(types), id: uuid });
  const row = z.object({ cells: z.record(z.string(), cell), ref: ref.optional() });
  return { title, columns, rows: z.array(row).max(100) };
}

function requireGiven(ctx: ToolContext, refs: Ref[]): void {
  const unknown = refs.find((each) => !ctx.given.has(refKey(each)));
  if (unknown) throw new ToolRefused(`No tool gave a ${unknown.type} with the id ${unknown.id}`);
}

function add(ctx: ToolContext, block: StoredBlock, refs: Ref[]): { shown: true } {
  requireGiven(ctx, refs);
  if (!ctx.draft.add(block, refs)) throw new ToolRefused('The reply has no room for more');
  return { shown: true };
}

export function showCards(ctx: ToolContext, input: z.output<z.ZodObject<ReturnType<typeof cards>>>) {
  const families = Object.entries(recordTools(ctx));
  const [type] = families.find(([, { card_type }]) => card_type === input.card_type) as [string, RecordTools];
  const ids = [...new Set(input.ids)];
  const refs = ids.map((id) => ({ type, id }));
  const block: StoredBlock = { type: 'cards', ids, card_type: input.card_type };
  return add(ctx, input.title === undefined ? block : { ...block, title: input.title }, refs);
}

/** `1,234.50`, `€ 1.2`, `12 %`: text that reads as the same number in every country. */
function numberIn(text: string): number | undefined {
  const bare = text.replaceAll(/[\s\p{Sc}%]|\b[A-Z]{3}\b/gu, '');
  if (/^[+-]?\d+(\.\d+)?$/.test(bare)) return Number(bare);
  return /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare) ? Number(bare.replaceAll(',', '')) : undefined;
}

type Cell = z.output<typeof cell>;
type Column = { key: string; kind?: 'money' | 'date' | 'number' | 'text' | undefined };

/** Money and numbers are numbers, or text when they cannot be parsed; all else is text. */
function cellOf(value: Cell | undefined, { kind }: Column): Cell {
  if (value === undefined || value === null) return null;
  if (kind === 'money' || kind === 'number')
    return typeof value === 'number' ? value : (numberIn(value) ?? value);
  return String(value);
}

/** Drops cells of unknown columns; missing cells are empty. */
export async function showTable(ctx: ToolContext, input: z.output<z.ZodObject<ReturnType<typeof table>>>) {
  const { columns, rows } = input;
  const refs = rows.flatMap((row) => row.ref ?? []);
  const keys = columns.map(({ key }) => key);
  if (new Set(keys).size < keys.length) throw new ToolRefused('Each column needs a key of its own');
  requireGiven(ctx, refs);
  const names = await readPersonalLabels(ctx, refs);
  const named = (ref: Ref) => {
    const name = names.get(refKey(ref));
    return name === undefined ? ref : { ...ref, name };
  };
  const block: StoredBlock = {
    type: 'table',
    ...(input.title === undefined ? {} : { title: input.title }),
    columns,
    rows: rows.map((row) => ({
      cells: Object.fromEntries(columns.map((column) => [column.key, cellOf(row.cells[column.key], column)])),
      ...(row.ref ? { ref: named(row.ref) } : {}),
    })),
  };
  return add(ctx, block, refs);
}
