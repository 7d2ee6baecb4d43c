import { ErrorClass } from "../ErrorClass.ts";

/** The secret was rotated less than 24 hours ago, and both secrets sign. */
export class RotationOpen
  extends /* @__PURE__ */ ErrorClass<RotationOpen>()(
    "RotationOpen",
    {},
    () =>
      "The secret was rotated less than 24 hours ago, and the one before it still signs. Rotate again after that.",
  ) {}

/** An attempt of the delivery is in flight. */
export class DeliveryPending
  extends /* @__PURE__ */ ErrorClass<DeliveryPending>()(
    "DeliveryPending",
    {},
    () => "An attempt of this delivery is in flight. Wait for it, then retry.",
  ) {}
