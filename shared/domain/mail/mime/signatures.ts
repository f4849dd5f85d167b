/** Signatures of mail: parts by which programs check who wrote it. A reader would not look for them as files. */

const TYPES = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
]);

/** Names that mail programs give: RFC 8551, 3.2.1, and the habits of PGP; `attachment` is a part without a name. */
const NAME = /^(?:attachment|smime\.p7s|(?:openpgp_)?signature(?:\.asc)?)$/i;

/**
 * A part of a multipart/signed (RFC 1847), or one that a gateway left of it and that nobody named. Other names are of files
 * that were signed before they were sent: `contract.pdf.p7s` may contain the contract. Keys are files: readers keep them.
 */
export const isMailSignature = (content_type: string, file_name: string, signed: boolean): boolean =>
  TYPES.has(content_type) && (signed || NAME.test(file_name));
