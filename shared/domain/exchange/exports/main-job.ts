import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';

/** The one job that a file has of a contact: the current one, else the first. */
export const mainJob = ({ employments }: Pick<ContactRecord, 'employments'>) =>
  employments.find(({ current }) => current) ?? employments[0];
