import fc from 'fast-check';

/** `SEED` makes what tests draw by chance the same each time; what fails names its seed. */
if (process.env.SEED) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED) });
