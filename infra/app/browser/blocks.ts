import { act } from './act.ts';
import { type Body, call } from './api.ts';
import { button, type Child, h } from './dom.ts';
import { date, dayAndTime, money, title } from './format.ts';
import { placeOfRecord } from './place.ts';

/** What the assistant answers with: text, tables, cards of records, and proposals to accept. */

type Message = Body<'listMessages'>['messages'][number];
type Block = Message['blocks'][number];
type Ref = Message['refs'][number];
type Whole = Body<'retrieveProposal'>['proposal'];
/** Blocks leave out what the reader does not see. */
type Proposal = { status: string } & Partial<Pick<Whole, 'display' | 'actions' | 'resolution_reason'>>;

export function refLink({ type, id, label }: Ref): Child {
  const href = placeOfRecord(type, id);
  return href ? h('a', { href }, label ?? title(type)) : (label ?? title(type));
}

const ACTIONS = {
  accept: {
    label: 'Accept',
    done: 'Accepted.',
    run: (id: string) => call<'acceptProposal'>('POST', `/proposals/${id}/accept`),
  },
  reject: {
    label: 'Reject',
    done: 'Rejected.',
    run: (id: string) => call<'rejectProposal'>('POST', `/proposals/${id}/reject`),
  },
  undo: {
    label: 'Undo',
    done: 'Undone.',
    run: (id: string) => call<'undoProposal'>('POST', `/proposals/${id}/undo`),
  },
};
export type ProposalAction = keyof typeof ACTIONS;

export async function resolve(id: string, action: ProposalAction, changed: () => unknown): Promise<void> {
  const { done, run } = ACTIONS[action];
  if (await act(done, () => run(id))) changed();
}

function changesTable(changes: Whole['display']['changes']): Child {
  if (changes.length === 0) return undefined;
  const cell = (name: 'td' | 'th', text: string | null, scope?: string) => h(name, { scope }, text ?? '');
  const head = h('tr', {}, ...['Field', 'Before', 'After'].map((each) => cell('th', each, 'col')));
  const rows = changes.map(({ label, before, after }) =>
    h('tr', {}, cell('th', label, 'row'), cell('td', before), cell('td', after)),
  );
  return h(
    'div',
    { class: 'table', tabindex: '0', role: 'region', 'aria-label': 'Changes' },
    h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows)),
  );
}

export function proposalBody(id: string, proposal: Proposal, changed: () => unknown): Child[] {
  const { status, display, actions = [], resolution_reason } = proposal;
  const press = (action: ProposalAction) =>
    button(ACTIONS[action].label, () => resolve(id, action, changed), { 'data-focus': `${id} ${action}` });
  const label = `What to do with: ${display?.title ?? 'this proposal'}`;
  return [
    h('p', {}, h('span', { class: 'mark' }, title(status)), ' ', display?.summary),
    changesTable(display?.changes ?? []),
    resolution_reason && h('p', { class: 'quiet' }, resolution_reason),
    actions.length > 0 &&
      h('div', { class: 'acts', role: 'group', 'aria-label': label }, ...actions.map(press)),
  ];
}

type Table = Extract<Block, { type: 'table' }>;

function cellText(value: unknown, kind: Table['columns'][number]['kind']): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') {
    const { amount, currency } = value as { amount?: number; currency?: string };
    return amount === undefined ? JSON.stringify(value) : money(amount, currency ?? null);
  }
  if (kind === 'date' && typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return dayAndTime(value);
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return date(value);
  }
  return String(value);
}

function tableBlock({ title: name, columns, rows }: Table): HTMLElement {
  const head = h('tr', {}, ...columns.map(({ label }) => h('th', { scope: 'col' }, label)));
  const body = rows.map(({ cells, ref }) =>
    h(
      'tr',
      {},
      ...columns.map(({ key, kind }, i) => {
        const text = cellText((cells as Record<string, unknown>)[key], kind);
        const href = i === 0 && ref ? placeOfRecord(ref.type, ref.id) : undefined;
        return h('td', {}, href ? h('a', { href }, text) : text);
      }),
    ),
  );
  const table = h('table', {}, h('caption', {}, name), h('thead', {}, head), h('tbody', {}, ...body));
  return h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': name }, table);
}

function cardsBlock(
  { ids, card_type, title: name }: Extract<Block, { type: 'cards' }>,
  refs: Ref[],
): HTMLElement {
  const entries = ids.map((id) => {
    const label = refs.find((ref) => ref.id === id)?.label ?? null;
    return h('li', {}, refLink({ type: card_type.toLowerCase(), id, label }));
  });
  return h('div', {}, h('p', {}, name), h('ul', {}, ...entries));
}

function blockElement(block: Block, refs: Ref[], changed: () => unknown): HTMLElement {
  if (block.type === 'text') return h('div', { class: 'plain' }, block.text);
  if (block.type === 'table') return tableBlock(block);
  if (block.type === 'cards') return cardsBlock(block, refs);
  return h(
    'div',
    { class: 'card' },
    h('p', {}, h('strong', {}, block.display?.title ?? title(block.action_type ?? 'proposal'))),
    ...proposalBody(block.proposal_id, block as Proposal, changed),
  );
}

/** `changed` is called after a proposal in them was answered. */
export function blockElements(
  { blocks, refs }: Pick<Message, 'blocks' | 'refs'>,
  changed: () => unknown,
): HTMLElement[] {
  return blocks.map((block) => blockElement(block, refs, changed));
}
