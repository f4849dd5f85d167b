import type { Contact } from './contact.ts';

export type Employed = Pick<Contact, 'employments'>;

/** The organizations of a contact's employments. */
export function employerIds({ employments }: Employed): string[] {
  return [...new Set(employments.flatMap(({ organization }) => organization?.id ?? []))];
}
