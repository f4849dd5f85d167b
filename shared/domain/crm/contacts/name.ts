interface Named {
  name?: string | null | undefined;
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  email_addresses?: { email_address: string }[] | undefined;
}

/** First and last name, else the first email address; empty when there is none of these. */
export function nameOf(contact: Named): string {
  const parts = [contact.first_name, contact.last_name].filter((part) => part != null);
  return contact.name ?? (parts.join(' ') || (contact.email_addresses?.[0]?.email_address ?? ''));
}
