/** Addresses of roles, which several people read: RFC 2142, and what companies use besides, in languages of Europe. */
const ROLES = new Set(
  `abuse account accounting accounts admin administration administrator admissions ap ar billing bookings buchhaltung
  buero careers commercial compliance compras compta comptabilite contabilidad contabilita contact contact-us contacto
  contatti customer-care customercare customerservice customersupport datenschutz direction einkauf email empfang
  enquiries enquiry events facturacion facturation feedback finance frontdesk hello help helpdesk hi hostmaster hr
  info informacion information inkoop inquiries inquiry invoice invoices it jobs kontakt kundenservice legal mail
  marketing media news newsletter newsletters no-reply noc noreply office operations order orders partners payment
  payments personal postmaster press presse privacy purchasing receivables reception rechnung rechnungen recruiting
  recruitment reservations sales secretariat security sekretariat service services shop support team tech update
  updates usenet vendas ventas ventes verkauf verkoop vertrieb verwaltung webmaster welcome www`.split(/\s+/),
);

/** Shorter ones are initials of people: `ar.smith@`. */
const SHORTEST_PREFIX = 4;

/** `address` is in lower case; what follows a plus sign does not count. `sales-emea@` is of a role, as `sales@` is. */
export function isRoleAddress(address: string): boolean {
  const [local = ''] = address.slice(0, address.lastIndexOf('@')).split('+', 1);
  const [prefix = ''] = local.split(/[-_.]/, 1);
  return ROLES.has(local) || (prefix.length >= SHORTEST_PREFIX && ROLES.has(prefix));
}
