import { expect, it } from 'vitest';
import { isRoleAddress } from '#shared/domain/collaboration/records/role-addresses.ts';

it.each([
  'info',
  'sales',
  'support+1',
  'sales-emea',
  'customer-care',
  'customercare',
  'contact-us',
  'hr',
  'info.de',
])('%s@ is of a role', (local) => expect(isRoleAddress(`${local}@acme.example`)).toBe(true));

it.each(['ada', 'informatics', 'teamane', 'ar.smith', 'it-wong', 'ada.info', 'adasales', ''])(
  '%s@ is of a person',
  (local) => expect(isRoleAddress(`${local}@acme.example`)).toBe(false),
);
