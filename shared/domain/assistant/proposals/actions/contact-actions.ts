import type { Actions } from './action.ts';
import { contactCreate } from './contact-create.ts';
import { contactUpdate } from './contact-update.ts';

export const contactActions: Actions = { 'contact.create': contactCreate, 'contact.update': contactUpdate };
