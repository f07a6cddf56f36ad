import "./ui/ground.css"; // first, so that what stands beside a component goes before it
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { IdentityProvider } from "./app/identity";
import { apply } from "./app/preferences";
import { Shell } from "./app/shell";
import { WorldProvider } from "./app/world";

apply();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <IdentityProvider>
      <WorldProvider>
        <Shell />
      </WorldProvider>
    </IdentityProvider>
  </StrictMode>,
);
