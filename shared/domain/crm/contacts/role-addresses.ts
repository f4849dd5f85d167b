/**
 * Addresses of roles, which several people read: RFC 2142, and what companies use besides, in the languages of Europe.
 */

const ROLES = new Set(
  `abuse accounting accounts admin administration administrator admissions ap ar billing bookings buchhaltung buero
  careers commercial compliance compras compta comptabilite contabilidad contabilita contact contacto contact-us contatti
  customerservice datenschutz direction einkauf empfang enquiries enquiry events facturacion facturation feedback finance
  frontdesk hello help helpdesk hostmaster hr info informacion information inkoop inquiries invoice invoices it jobs kontakt
  kundenservice legal mail marketing media news newsletter noc no-reply noreply office operations orders partners
  personal postmaster press presse privacy purchasing receivables reception rechnung rechnungen recruiting recruitment
  reservations sales sekretariat secretariat security service services shop support team tech usenet vendas ventas
  verkauf verkoop verwaltung vertrieb webmaster welcome www`.split(/\s+/),
);

/** `address` is in lower case; what follows a plus sign does not count. */
export function isRoleAddress(address: string): boolean {
  const local = address.slice(0, address.lastIndexOf('@'));
  return ROLES.has(local.split('+', 1)[0] as string);
}
