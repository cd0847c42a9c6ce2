// What does not come within this time does not come. It costs something only where a test fails, and machines are busy.
export const PATIENCE_MS = 150_000;
