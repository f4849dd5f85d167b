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

/** `email_addresses` as people write it. */
function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ');
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
