import { domainToASCII } from 'node:url';
import { isPublicMailHost } from '#shared/public-mail-hosts.ts';
import { refuse, requiredText } from '#shared/values.ts';

/** Labels of letters, digits and inner hyphens, two at least, the last not all digits (RFC 1123, section 2.1). */
const HOST =
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/;

/** Characters that `domainToASCII` takes for the end of a host name or for escapes. */
const NO_HOST = /[\s/\\?#@:%[\]]/;

/** The host name in ASCII, in lower case and without the dot of the root; empty when it is none. */
function hostOf(sent: string): string {
  if (NO_HOST.test(sent)) return '';
  const host = domainToASCII(sent).replace(/\.$/, '');
  return HOST.test(host) ? host : '';
}

/** A host name with two labels at least; parsed to ASCII in lower case. */
export const hostName = requiredText(255)
  .check((context) => {
    if (hostOf(context.value) === '')
      refuse(context, 'invalid_format', 'must be a domain, such as acme.example');
  })
  .transform(hostOf)
  .meta({ example: 'acme.example' });

/** A domain of an organization. Public mail hosts are `invalid`. */
export const domainName = hostName.refine((host) => !isPublicMailHost(host), {
  error: 'belongs to a public mail service',
  params: { field_code: 'invalid' },
});
