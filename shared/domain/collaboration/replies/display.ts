import * as z from 'zod';

/** The text that people see of a proposal. */

export const proposalDisplay = z
  .strictObject({
    title: z.string(),
    summary: z.string().nullable(),
    changes: z.array(
      z.strictObject({
        field: z.string(),
        label: z.string(),
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    ),
  })
  .meta({
    id: 'ProposalDisplay',
    example: {
      title: 'Change Ada Byron',
      summary: null,
      changes: [{ field: 'headline', label: 'Headline', before: null, after: 'Analyst' }],
    },
  });

export type Display = z.infer<typeof proposalDisplay>;

const MAX_CHARACTERS = 255;

/** `email_addresses` and `contact_ids` as people write them. */
function labelOf(field: string): string {
  const words = field.replace(/(?<!external)_id(s?)(?=$|_)/, '$1').replaceAll('_', ' ');
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

/** The beginning of a text, for display among others. */
export function cut(text: string): string {
  const characters = [...text];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : text;
}

/** Values as short text; null for none. */
export function changeOf(
  field: string,
  before: string | null,
  after: string | null,
): Display['changes'][number] {
  return {
    field,
    label: labelOf(field),
    before: before === null ? null : cut(before),
    after: after === null ? null : cut(after),
  };
}

type Changes = Display['changes'];

/** Fields whose texts name records besides the one that changes. */
const naming = new Set([
  'contact_id_to_merge',
  'employments',
  'organization',
  'organization_id',
  'contacts',
  'thread_id',
  'contact_ids',
  'organization_ids',
  'deal_id',
  'space_id',
  'milestone_id',
  'calendar_event_id',
  'calendar_id',
  // Of the message that a draft answers or forwards.
  'in_reply_to_message_id',
  'to_email_addresses',
  'cc_email_addresses',
  'bcc_email_addresses',
  'subject',
  'attachments',
]);

/** For users who may not see the records that another user sees: the same changes without their names. */
export const withoutNames = (changes: Changes): Changes =>
  changes.map((each) => (naming.has(each.field) ? { ...each, before: null, after: null } : each));

/** The parameters of a proposal for the same users: without those that name other records. */
export const withoutNamed = (params: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([field]) => !naming.has(field)));

/** Changes as another user sees them, with the names of records that `own` has. */
export const withNamesOf = (own: Changes, changes: Changes): Changes =>
  withoutNames(changes).map((each) =>
    naming.has(each.field) ? (own.find(({ field }) => field === each.field) ?? each) : each,
  );
