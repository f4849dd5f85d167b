import tls from 'node:tls';

/** Of `localhost` and 127.0.0.1, signed by itself, for mail servers on this machine: its key protects nothing. Valid until 2126. */
export const certificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBrjCCAVSgAwIBAgIUN7Ond1tqw1OmRGWhD39thL1kb5YwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzE5MDc0MVoYDzIxMjYxMDMw
MTkwNzQxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATmyyc2RSB7zI7DwMmoUM/zhbkk5+qV/9hgj05zsr3yw1DvFZqgHpSj
FaXiKoZS9/rvZpmOvRWPhhtB3biv/fxBo4GBMH8wHQYDVR0OBBYEFAQ16xSoYq7p
fSU9ALi5+a1J8jzoMB8GA1UdIwQYMBaAFAQ16xSoYq7pfSU9ALi5+a1J8jzoMBoG
A1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAMBgNVHRMBAf8EAjAAMBMGA1UdJQQM
MAoGCCsGAQUFBwMBMAoGCCqGSM49BAMCA0gAMEUCIGrPaxXqFBRDN9bUZgB8zN3C
auj7YtVj07Q1cJhfKaWuAiEA3B31sXgaP3oCPDuQFMTyZMXb3vzqIHzxcWrKUhqu
wFQ=
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgXxoefooPEkbRdiQw
32eqseu8DmTbuHMUZPrDm/IlzmyhRANCAATmyyc2RSB7zI7DwMmoUM/zhbkk5+qV
/9hgj05zsr3yw1DvFZqgHpSjFaXiKoZS9/rvZpmOvRWPhhtB3biv/fxB
-----END PRIVATE KEY-----`,
};

/** Lets this thread trust it, besides all others that it trusts. */
export function trustCertificate(): void {
  const trusted = tls.getCACertificates('default');
  if (!trusted.includes(certificate.cert)) tls.setDefaultCACertificates([...trusted, certificate.cert]);
}
